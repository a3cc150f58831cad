import { aPaidCharge, aRefund, aRefundState } from '../../../../test/builders.ts';
import { createFakeProvider } from '../../../../test/fakes/provider.ts';
import { type PaymentProvider, type RefundState, UNKNOWN_UNTIL_NOTIFIED } from '../../providers/provider.ts';
import { createReconcileRefund } from './reconcile-refund.ts';
import type { Refund } from './refund.ts';

/** The answer about a refund, what was recorded and what was heard. */
const reconcile = async (
  changes: Partial<Refund>,
  describeRefund: PaymentProvider['describeRefund'] | null,
) => {
  const recorded: RefundState[] = [];
  const heard: unknown[] = [];
  const requested: string[] = [];
  const provider = describeRefund && {
    ...createFakeProvider(),
    describeRefund,
    async refund({ reference }: { readonly reference: string }): Promise<RefundState> {
      requested.push(reference);
      return aRefundState({ status: 'refunded' });
    },
  };
  await createReconcileRefund({
    findCharge: async () => aPaidCharge({ livemode: true }),
    providerNamed: async () => provider,
    async recordRefundOutcome(refund, state) {
      recorded.push(state);
      return refund;
    },
    hearers: [async (name, news) => void heard.push({ name, news })],
  })(aRefund({ livemode: true, pspRefundRefId: 'psp_ref_1', ...changes }));
  return { recorded, heard, requested };
};

describe('a refund that is done', () => {
  const done = { status: 'refunded' as const, booked: true };
  const stillDone = { status: 'refunded', reason: null, pspRefundRefId: 'psp_ref_1' };

  it('given that it has failed since, then that is heard as if the provider had told it', async () => {
    const state = aRefundState({ status: 'failed', reason: 'not_carried_out' });
    const { heard, recorded, requested } = await reconcile(done, async () => state);
    const { provider: name } = aPaidCharge();
    const { id, amount, currency } = aRefund();
    expect(heard).toEqual([
      {
        name,
        news: {
          kind: 'refund',
          id: `${id}/failed late`,
          livemode: true,
          reference: id,
          amount,
          currency,
          state,
        },
      },
    ]);
    expect([recorded, requested]).toEqual([[], []]);
  });

  it.each<[string, PaymentProvider['describeRefund'] | null]>([
    ['that it still is', async () => aRefundState({ status: 'refunded' })],
    ['a provider that does not find it', async () => null],
    ['a provider that cannot be asked', async () => UNKNOWN_UNTIL_NOTIFIED],
    ['no provider any more', null],
  ])('given %s, then that is noted, and nothing is asked for again', async (_, describeRefund) => {
    expect(await reconcile(done, describeRefund)).toEqual({
      recorded: [stillDone],
      heard: [],
      requested: [],
    });
  });

  it('given a provider that does not answer, then it waits for the next time, and does not stay due', async () => {
    const fails = async (): Promise<never> => {
      throw new Error('away');
    };
    expect((await reconcile(done, fails)).recorded).toEqual([stillDone]);
  });
});

it('a refund that the provider does not know is asked for', async () => {
  const { recorded, requested } = await reconcile({}, async () => null);
  expect(requested).toEqual([aRefund().id]);
  expect(recorded).toMatchObject([{ status: 'refunded' }]);
});
