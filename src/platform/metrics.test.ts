import type { DomainEvent } from '../kernel/event.ts';
import { countEvents, createMetrics } from './metrics.ts';

const event = (type: string, data: object): Pick<DomainEvent, 'type' | 'data'> => ({
  type,
  data: data as DomainEvent['data'],
});

describe('events that were committed', () => {
  it('are counted by type, and their amounts by currency and environment', async () => {
    const metrics = createMetrics();
    countEvents(metrics, [
      event('charge.paid', { amount: 1_000, currency: 'BRL', livemode: true }),
      event('charge.paid', { amount: 250, currency: 'BRL', livemode: true }),
      event('charge.paid', { amount: 7, currency: 'BRL', livemode: false }),
      event('charge.refunded', { amount: 1_000, currency: 'BRL', livemode: true }),
    ]);
    const { values } = await metrics.eventAmounts.get();
    expect(values.map(({ labels, value }) => [labels.type, labels.livemode, value])).toEqual([
      ['charge.paid', 'true', 1_250],
      ['charge.paid', 'false', 7],
      ['charge.refunded', 'true', 1_000],
    ]);
    const counted = await metrics.events.get();
    expect(counted.values.map(({ value }) => value)).toEqual([3, 1]);
  });

  it('count without an amount where they have none, or one that a counter cannot add', async () => {
    const metrics = createMetrics();
    const without = [{}, { amount: -5, currency: 'BRL' }, { amount: 5 }, { amount: '5', currency: 'BRL' }];
    countEvents(
      metrics,
      without.map((data) => event('adjustment.approved', data)),
    );
    expect((await metrics.eventAmounts.get()).values).toEqual([]);
    expect((await metrics.events.get()).values.map(({ value }) => value)).toEqual([4]);
  });
});
