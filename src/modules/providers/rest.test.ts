import { ProviderBusy } from './provider.ts';
import { createRest, type SharedRest } from './rest.ts';

const NOW = Date.parse('2026-06-15T12:00:00.000Z');

/** Two processes with one account, and what they share. */
const twoProcesses = () => {
  const state = { now: NOW, endsAt: 0, isDown: false };
  const orDown = <T>(value: T): T => {
    if (state.isDown) throw new Error('the store is away');
    return value;
  };
  const shared: SharedRest = {
    read: async () => orDown(state.endsAt),
    async extend(endsAt) {
      state.endsAt = orDown(endsAt);
    },
  };
  const clock = (): Date => new Date(state.now);
  return { state, one: createRest(clock, shared), other: createRest(clock, shared) };
};

describe('the rest of an account', () => {
  it('is that of each process, until it is over', async () => {
    const { state, one, other } = twoProcesses();
    await other.check();
    expect(await one.begin('20')).toBeInstanceOf(ProviderBusy);
    for (const rest of [one, other]) await expect(rest.check()).rejects.toThrow(ProviderBusy);
    state.now += 20_000;
    for (const rest of [one, other]) await rest.check();
  });

  it('is known to its own process at least while the store does not answer, and nothing else fails by that', async () => {
    const { state, one, other } = twoProcesses();
    state.isDown = true;
    await one.begin(undefined);
    await expect(one.check()).rejects.toThrow(ProviderBusy);
    await other.check();
  });

  it('lasts a minute at most, whatever a provider or a wrong clock says', async () => {
    const { state, one, other } = twoProcesses();
    await one.begin('86400');
    state.now += 60_000;
    for (const rest of [one, other]) await rest.check();
    state.endsAt = state.now + 86_400_000;
    for (const rest of [one, other]) await rest.check();
  });
});
