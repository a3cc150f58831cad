import { createFakeLogger } from '../../../test/fakes/logger.ts';
import { createFakeProvider } from '../../../test/fakes/provider.ts';
import { type PaymentProvider, ProviderBusy, ProviderTimeout, UnknownStatus } from './provider.ts';
import { isCircuitOpen, resilient } from './resilient.ts';

const setUp = (describePayment: PaymentProvider['describePayment']) => {
  const asked: string[] = [];
  const outcomes: string[] = [];
  const circuits: string[] = [];
  const { logger, lines } = createFakeLogger();
  const provider = resilient(
    {
      ...createFakeProvider(),
      notificationsIn: async () => [],
      describePayment: (order) => {
        asked.push(order.reference);
        return describePayment(order);
      },
    },
    {
      timeoutMs: 1_000,
      observe: ({ outcome }) => outcomes.push(outcome),
      onCircuit: (circuit) => circuits.push(circuit),
      logger,
    },
  );
  /** How a call ends, with all the time that it needs. */
  const ask = async (reference = 'chg_1'): Promise<unknown> => {
    const answer = provider
      .describePayment({ reference, amount: 1, currency: 'BRL' })
      .catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(2_000);
    return answer;
  };
  const news = () => provider.notificationsIn({ headers: {}, secret: null, body: Buffer.from('{}') });
  return { ask, asked, outcomes, circuits, lines, news };
};

const broken = async (): Promise<never> => {
  throw new Error('connection reset');
};
const silent = async (): Promise<never> => {
  throw new ProviderTimeout('describePayment');
};

describe('a provider on bad days', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('is asked again with the same reference where the connection breaks, and nobody notices', async () => {
    let failures = 2;
    const { ask, asked, outcomes } = setUp(async () => {
      failures -= 1;
      if (failures >= 0) throw new Error('connection reset');
      return null;
    });
    expect(await ask()).toBeNull();
    expect(asked).toEqual(['chg_1', 'chg_1', 'chg_1']);
    expect(outcomes).toEqual(['not_found']);
  });

  it('is asked three times at most', async () => {
    const { ask, asked, outcomes } = setUp(broken);
    expect(await ask()).toMatchObject({ message: 'connection reset' });
    expect(asked).toHaveLength(3);
    expect(outcomes).toEqual(['error']);
  });

  it('is not asked again after a time-out, for that is the reconciler’s to find out', async () => {
    const { ask, asked } = setUp(silent);
    expect(await ask()).toBeInstanceOf(ProviderTimeout);
    expect(asked).toHaveLength(1);
  });

  it('is not asked again at once where it asks for a pause', async () => {
    const { ask, asked, outcomes } = setUp(async () => {
      throw new ProviderBusy();
    });
    expect(await ask()).toBeInstanceOf(ProviderBusy);
    expect(asked).toHaveLength(1);
    expect(outcomes).toEqual(['error']);
  });

  it('that says what nobody knows is not asked again at once, and stands for no failure of its own', async () => {
    const { ask, asked, outcomes } = setUp(async () => {
      throw new UnknownStatus('the provider', 'on_the_moon', 'a payment');
    });
    for (let count = 0; count < 21; count += 1) expect(await ask()).toBeInstanceOf(UnknownStatus);
    expect(asked).toHaveLength(21);
    expect(new Set(outcomes)).toEqual(new Set(['unknown_status']));
  });

  it('takes in news while it is left alone for its failures', async () => {
    const { ask, news } = setUp(silent);
    for (let count = 0; count < 20; count += 1) await ask();
    expect(isCircuitOpen(await ask())).toBe(true);
    expect(await news()).toEqual([]);
  });

  it('has the same time for all tries as for one', async () => {
    const { ask, outcomes } = setUp(() => new Promise(() => undefined));
    expect(await ask()).toBeInstanceOf(ProviderTimeout);
    expect(outcomes).toEqual(['timeout']);
  });

  it('is left alone after twenty failures in a row, and tried again after ten seconds', async () => {
    let isDown = true;
    const { ask, asked, circuits, lines } = setUp(async () => (isDown ? silent() : null));
    for (let count = 0; count < 20; count += 1) await ask();
    expect(isCircuitOpen(await ask())).toBe(true);
    expect(asked).toHaveLength(20);
    isDown = false;
    await jest.advanceTimersByTimeAsync(10_000);
    expect(await ask()).toBeNull();
    expect(await ask()).toBeNull();
    expect(asked).toHaveLength(22);
    expect(lines).toEqual([
      'error the provider does not answer: circuit open',
      'warn the provider answers again',
    ]);
    expect(circuits).toEqual(['open', 'half_open', 'closed']);
  });

  it('is not left alone while one call in twenty succeeds', async () => {
    let count = 0;
    const { ask, asked } = setUp(async () => {
      count += 1;
      return count % 20 === 0 ? null : silent();
    });
    for (let round = 0; round < 60; round += 1) expect(isCircuitOpen(await ask())).toBe(false);
    expect(asked).toHaveLength(60);
  });
});
