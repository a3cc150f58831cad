import { aCard } from '../../../test/builders.ts';
import { createFakeProvider } from '../../../test/fakes/provider.ts';
import { checkedAnswers } from './checked-answers.ts';
import type { PaymentProvider, PaymentState, ProviderNotification, RefundState } from './provider.ts';

const order = { reference: 'chg_1', amount: 100, currency: 'BRL' };
const delivery = { headers: {}, secret: null, body: Buffer.from('') };
const HALF = '\ud83d';

const payment = (changes: Partial<PaymentState> = {}): PaymentState => ({
  status: 'pending',
  pspRefId: 'psp_1',
  failureReason: null,
  paidAt: null,
  instructions: { type: 'pix', endToEndId: null, copyPaste: '000201' },
  echo: { amount: 100, currency: 'BRL' },
  ...changes,
});
const answering = (changes: Partial<PaymentProvider>): PaymentProvider =>
  checkedAnswers({ ...createFakeProvider(), ...changes });
const describing = (state: PaymentState): PaymentProvider =>
  answering({ describePayment: async () => state });

describe('an answer of a provider', () => {
  it.each<[string, Partial<PaymentState>]>([
    [
      'a Pix code of 3 MB',
      { instructions: { type: 'pix', endToEndId: null, copyPaste: '0'.repeat(3_000_000) } },
    ],
    ['half a surrogate in it', { instructions: { type: 'pix', endToEndId: null, copyPaste: `0002${HALF}` } }],
    ['a long reference', { pspRefId: 'x'.repeat(256) }],
    ['a NUL in its reference', { pspRefId: 'x\0' }],
    ['a currency that there is not', { echo: { amount: 100, currency: 'ZZZ' } }],
    ['a long address', { instructions: { type: 'qrcode', payUrl: `https://x.test/${'x'.repeat(2_048)}` } }],
  ])('with %s decides nothing', async (_, changes) => {
    await expect(describing(payment(changes)).describePayment(order)).rejects.toThrow(
      'the provider answers a',
    );
  });

  it('with a card token that cannot be stored decides nothing', async () => {
    const keeping = (providerToken: string) =>
      answering({
        tokenize: async () => ({ status: 'tokenized', providerToken }),
      });
    const tokenize = (providerToken: string) =>
      keeping(providerToken).tokenize?.({ reference: 'tok_1', card: aCard() });
    for (const wrong of ['x'.repeat(256), 'x\0', HALF])
      await expect(tokenize(wrong)).rejects.toThrow('the provider answers a providerToken');
    expect(await tokenize('pm_1')).toEqual({ status: 'tokenized', providerToken: 'pm_1' });
    expect(answering({}).vault).toBeUndefined();
  });

  it('is let through as it is where nothing is wrong with it, a withdrawn currency included', async () => {
    for (const state of [payment(), payment({ echo: { amount: 100, currency: 'ANG' } })])
      expect(await describing(state).describePayment(order)).toEqual(state);
  });

  it('counts with words that are too long or broken: they are mended', async () => {
    const told = payment({ status: 'refused', failureReason: `${HALF}${'no '.repeat(1_000)}` });
    const { failureReason, status } = (await describing(told).describePayment(order)) as PaymentState;
    expect([status, failureReason?.length, failureReason?.[0]]).toEqual(['refused', 255, '\ufffd']);
    const refund: RefundState = { status: 'failed', reason: 'x'.repeat(300), pspRefundRefId: null };
    const provider = answering({ describeRefund: async () => refund });
    const request = {
      ...order,
      paymentReference: 'chg_1',
      paymentPspRefId: null,
      openedAt: '2026-06-15T12:00:00.000Z',
    };
    expect(await provider.describeRefund(request)).toMatchObject({ reason: 'x'.repeat(255) });
  });
});

describe('news of a provider', () => {
  const news = (changes: Partial<ProviderNotification>): ProviderNotification =>
    ({
      id: 'n_1',
      livemode: true,
      kind: 'payment',
      reference: 'chg_1',
      amount: 100,
      currency: 'BRL',
      state: payment(),
      ...changes,
    }) as ProviderNotification;

  it('at fault has to be sent again, and the others of its delivery count', async () => {
    const good = news({});
    const bad = [news({ id: 'n_2', currency: 'ZZZ' } as never), news({ reference: HALF } as never)];
    const provider = answering({ notificationsIn: async () => [good, ...bad] });
    expect(await provider.notificationsIn(delivery)).toEqual([
      good,
      { kind: 'unconfirmed', id: 'n_2' },
      { kind: 'unconfirmed', id: 'n_1' },
    ]);
  });

  it('at fault that was asked for is left out, and comes with the next question', async () => {
    const good = news({});
    const bad = [news({ id: 'n_2', currency: 'ZZZ' } as never), news({ reference: HALF } as never)];
    const provider = answering({ newsSince: async () => [good, ...bad] });
    expect(await provider.newsSince?.(new Date())).toEqual([good]);
  });
});
