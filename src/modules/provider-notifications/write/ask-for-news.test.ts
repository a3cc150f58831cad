import { createFakeLogger } from '../../../../test/fakes/logger.ts';
import { createFakeProvider } from '../../../../test/fakes/provider.ts';
import type { ProviderNotification } from '../../providers/provider.ts';
import { createAskForNews } from './ask-for-news.ts';

const NOW = new Date('2026-06-15T12:00:00.000Z');
const money = { amount: 1, currency: 'BRL', livemode: true };
const REFUNDED = { status: 'refunded', reason: null, pspRefundRefId: null } as const;
const paid = (id: string, reference: string): ProviderNotification => ({
  ...money,
  id,
  kind: 'payment',
  reference,
  state: { status: 'paid', pspRefId: id, failureReason: null, paidAt: null, instructions: null, echo: null },
});

const setUp = (
  news: Readonly<Record<string, (since: Date) => readonly ProviderNotification[]>>,
  claimNews: (name: string) => boolean = () => true,
) => {
  const takenIn: string[] = [];
  const failing = new Set<string>();
  const run = createAskForNews({
    claimNews: async (name) => claimNews(name),
    findOpenProviders: async () => Object.keys(news),
    accountOfNews: async (told) =>
      told.kind !== 'other' && told.reference.startsWith('chg_of_')
        ? told.reference.slice('chg_of_'.length)
        : null,
    providerNamed: async (name) => {
      const newsSince = news[name];
      return {
        ...createFakeProvider(),
        name,
        ...(newsSince ? { newsSince: async (since) => newsSince(since) } : {}),
      };
    },
    takeIn: async ({ notification }) => {
      if (failing.has(notification.id)) throw new Error('the write store is away');
      takenIn.push(notification.id);
    },
    logger: createFakeLogger().logger,
  });
  return { run, takenIn, failing };
};

describe('the question for news', () => {
  it('goes to each provider of open charges, reaches back, and takes in each payment once', async () => {
    const asked: Date[] = [];
    const { run, takenIn } = setUp({
      a: (since) => {
        asked.push(since);
        return [paid('1', 'chg_of_a'), paid('2', 'chg_of_a')];
      },
      b: () => [paid('1', 'chg_of_b')],
    });
    await run(NOW);
    await run(NOW);
    expect(takenIn).toEqual(['1', '2', '1']);
    expect(asked[0]).toEqual(new Date('2026-06-15T11:45:00.000Z'));
  });

  it('is left to the process that asks it already', async () => {
    const { run, takenIn } = setUp(
      { a: () => [paid('1', 'chg_of_a')], b: () => [paid('2', 'chg_of_b')] },
      (name) => name === 'b',
    );
    await run(NOW);
    expect(takenIn).toEqual(['2']);
  });

  it('leaves alone whatever is about somebody else, money that moved back as well', async () => {
    const { run, takenIn } = setUp({
      a: () => [
        paid('1', 'chg_elsewhere'),
        paid('2', 'chg_of_b'),
        { ...money, id: '3', kind: 'chargeback', reference: 'chg_of_b', pspRefId: 'rtr_3' },
        { ...money, id: '4', kind: 'refund', reference: 'by_hand', state: REFUNDED },
      ],
    });
    await run(NOW);
    expect(takenIn).toEqual([]);
  });

  it('that one provider does not answer holds up no other, and what failed is taken in next time', async () => {
    const { run, takenIn, failing } = setUp({
      a: () => {
        throw new Error('away');
      },
      b: () => [paid('1', 'chg_of_b')],
    });
    failing.add('1');
    await run(NOW);
    expect(takenIn).toEqual([]);
    failing.clear();
    await run(NOW);
    expect(takenIn).toEqual(['1']);
  });
});
