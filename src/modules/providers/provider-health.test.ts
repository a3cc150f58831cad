import { createMetrics } from '../../platform/metrics.ts';
import { createProviderHealth } from './provider-health.ts';

describe('the health of a provider', () => {
  const clock = { now: new Date('2026-06-15T12:00:00.000Z') };
  const metrics = createMetrics();
  const health = createProviderHealth({ clock: () => clock.now, metrics });

  it('counts calls and failures of the last five minutes, for each provider', () => {
    expect(health.of('stripe')).toEqual({ circuit: 'closed', total: 0, failed: 0 });
    health.noteCall('stripe', false);
    health.noteCall('pix-api', true);
    clock.now = new Date('2026-06-15T12:04:00.000Z');
    health.noteCall('stripe', true);
    health.noteCall('stripe', false);
    expect(health.of('stripe')).toMatchObject({ total: 3, failed: 1 });
    expect(health.of('pix-api')).toMatchObject({ total: 1, failed: 1 });
    clock.now = new Date('2026-06-15T12:05:15.000Z');
    expect(health.of('stripe')).toMatchObject({ total: 2, failed: 1 });
    expect(health.of('pix-api')).toMatchObject({ total: 0 });
  });

  it('has the state of the circuit, also for metrics', async () => {
    health.noteCircuit('stripe', 'open');
    expect(health.of('stripe').circuit).toBe('open');
    expect(await metrics.registry.getSingleMetricAsString('portico_provider_circuit_open')).toContain(
      'provider="stripe"} 1',
    );
    health.noteCircuit('stripe', 'closed');
    expect(health.of('stripe').circuit).toBe('closed');
  });
});
