import { aPayer } from '../../../../test/builders.ts';
import type { AuthorizeRequest, Card } from '../provider.ts';
import { CARD_TABLE, cardBehaviour } from './card-table.ts';
import { decideRefund, openPayment, paymentState } from './payment.ts';

const now = new Date('2026-06-15T12:00:00.000Z');

const card: Card = {
  number: '4242424242424242',
  cvv: '987',
  holderName: 'Ana Souza',
  expirationMonth: '12',
  expirationYear: '2030',
};

const byCard = (number: string): AuthorizeRequest => ({
  reference: 'chg_1',
  amount: 10_00,
  currency: 'BRL',
  merchantName: 'Loja da Ana',
  merchantTimeZone: 'America/Sao_Paulo',
  payer: aPayer(),
  returnUrl: null,
  instrument: { type: 'credit_card', card: { ...card, number }, installments: 1 },
});

const byPix: AuthorizeRequest = {
  ...byCard(card.number),
  instrument: { type: 'pix', expiresAt: '2026-06-15T13:00:00.000Z' },
};

const fullRefund = {
  reference: 'ref_1',
  paymentReference: 'chg_1',
  paymentPspRefId: null,
  openedAt: '2026-06-15T12:00:00.000Z',
  amount: 10_00,
  currency: 'BRL',
};

describe('the card table', () => {
  it.each([
    ['4242424242424242', 'paid', null],
    ['4000000000000002', 'refused', 'card_declined'],
    ['4000000000009995', 'refused', 'insufficient_funds'],
    ['4000000000000119', 'failed', 'processing_error'],
    ['4000002500003155', 'authentication_required', null],
    ['4000000000005126', 'in_analysis', null],
    ['4000000000004954', 'paid', null],
    ['4012888888881881', 'paid', null],
  ])('leads with %s to %s', (number, status, failureReason) => {
    expect(paymentState(openPayment(byCard(number), now))).toEqual({
      status,
      failureReason,
      pspRefId: expect.stringMatching(/^sim_[0-9a-f]{32}$/),
      paidAt: status === 'paid' ? '2026-06-15T12:00:00.000Z' : null,
      instructions: null,
      echo: { amount: 10_00, currency: 'BRL' },
    });
  });

  it.each([
    ['4242424242424242', 'refunded', null],
    ['4000000000007726', 'pending', null],
    ['4000000000005423', 'refused', 'refund_refused'],
    ['4000000000003220', 'failed', 'refund_failed'],
    ['4000000000006975', 'failed', 'refund_not_supported'],
  ])('leads with %s to a refund that is %s', (number, status, reason) => {
    expect(decideRefund(openPayment(byCard(number), now), fullRefund)).toMatchObject({ status, reason });
  });

  it('lets one card only go unanswered', () => {
    const silent = [...CARD_TABLE.keys()].filter((number) => !cardBehaviour(number).answers);
    expect(silent).toEqual(['4000000000004954']);
  });
});

describe('a simulated payment', () => {
  it('keeps the same of two cards that behave alike, so nothing by which a card could be known', () => {
    const kept = ['4242424242424242', '5555555555554444'].map((number) => ({
      ...openPayment(byCard(number), now),
      pspRefId: null,
    }));
    expect(kept[0]).toEqual(kept[1]);
    expect(JSON.stringify(kept)).not.toContain(card.holderName);
  });

  it('by Pix waits with an end-to-end identifier and a code to copy', () => {
    expect(paymentState(openPayment(byPix, now))).toMatchObject({
      status: 'pending',
      paidAt: null,
      instructions: {
        type: 'pix',
        endToEndId: expect.stringMatching(/^E\d{8}202606151200[A-Za-z0-9]{11}$/),
        copyPaste: expect.stringMatching(/^000201.*br\.gov\.bcb\.pix.*540510\.00.*6304[0-9A-F]{4}$/),
      },
    });
  });

  it('by Pix is in BRL only', () => {
    expect(() => openPayment({ ...byPix, currency: 'USD' }, now)).toThrow('Pix is in BRL only');
  });

  const identified = (type: 'voucher' | 'banktransfer' | 'qrcode'): AuthorizeRequest => ({
    ...byPix,
    currency: 'ARS',
    instrument: {
      type,
      identifyType: 'dni',
      identifyNumber: '12345678',
      bankName: null,
      expiresAt: '2026-06-18T12:00:00.000Z',
    },
  });
  const PAY_URL = /^https:\/\/gateway\.example\.test\/pay\/chg_1\/[\w-]{32}$/;
  const instructionsOf = (request: AuthorizeRequest) =>
    openPayment(request, now, 'https://gateway.example.test').instructions;

  it('by voucher waits with a ticket number, a barcode with amount and last day, and a page', () => {
    const instructions = instructionsOf(identified('voucher'));
    if (instructions?.type !== 'voucher') throw new Error('a voucher is expected');
    expect(instructions.paymentCode).toMatch(/^\d{14}$/);
    expect(instructions.barcode).toMatch(/^99990000000001000260618\d{15}$/);
    expect(instructions.barcode.slice(23, 37)).toBe(instructions.paymentCode);
    expect(instructions.paymentUrl).toMatch(PAY_URL);
    const total = [...instructions.barcode]
      .reverse()
      .reduce((sum, digit, index) => sum + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
    expect(total % 10).toBe(0);
  });

  it.each([
    ['America/Los_Angeles', '2026-06-19T05:00:00.000Z', '260618'],
    ['America/Sao_Paulo', '2026-06-19T02:59:00.000Z', '260618'],
    ['Asia/Tokyo', '2026-06-18T15:00:00.000Z', '260619'],
    ['UTC', '2026-06-18T23:59:59.999Z', '260618'],
  ])('by voucher has its last day in the zone of the merchant, %s', (merchantTimeZone, expiresAt, day) => {
    const request = identified('voucher');
    const instrument = { ...request.instrument, expiresAt } as AuthorizeRequest['instrument'];
    const instructions = instructionsOf({ ...request, merchantTimeZone, instrument });
    expect(instructions).toMatchObject({ barcode: expect.stringMatching(`^\\d{17}${day}`) });
  });

  it.each(['banktransfer', 'qrcode'] as const)(
    'by %s waits with a page of its own that nobody can guess',
    (type) => {
      const urls = Array.from({ length: 20 }, () => instructionsOf(identified(type)));
      for (const instructions of urls)
        expect(instructions).toEqual({ type, payUrl: expect.stringMatching(PAY_URL) });
      expect(new Set(urls.map((instructions) => JSON.stringify(instructions))).size).toBe(20);
    },
  );
});

describe('a simulated refund', () => {
  it('is refused for a payment that is unknown or not paid', () => {
    const refused = { status: 'refused', reason: 'payment_not_paid' };
    expect(decideRefund(null, fullRefund)).toMatchObject(refused);
    expect(decideRefund(openPayment(byPix, now), fullRefund)).toMatchObject(refused);
  });

  it('is refused for any other than the full amount', () => {
    const payment = openPayment(byCard(card.number), now);
    for (const change of [{ amount: 9_99 }, { amount: 10_01 }, { currency: 'USD' }]) {
      expect(decideRefund(payment, { ...fullRefund, ...change })).toMatchObject({
        status: 'refused',
        reason: 'amount_mismatch',
      });
    }
  });

  it('of another payment under the same reference is decided on by the card alone', () => {
    const payment = openPayment(byCard('4000000000005423'), now);
    const other = { ...fullRefund, paymentPspRefId: 'psp_other', amount: 1 };
    expect(decideRefund(payment, other)).toMatchObject({ status: 'refused', reason: 'refund_refused' });
    const declined = openPayment(byCard('4000000000000002'), now);
    expect(decideRefund(declined, other).status).toBe('refunded');
    expect(decideRefund(declined, { ...other, paymentPspRefId: declined.pspRefId })).toMatchObject({
      reason: 'payment_not_paid',
    });
  });

  it('has a reference of its own where the provider took it on', () => {
    const taken = (number: string): string | null =>
      decideRefund(openPayment(byCard(number), now), fullRefund).pspRefundRefId;
    expect(taken('4242424242424242')).toMatch(/^simr_/);
    expect(taken('4000000000007726')).toMatch(/^simr_/);
    expect(taken('4000000000005423')).toMatch(/^simr_/);
    expect(taken('4000000000003220')).toBeNull();
    expect(taken('4000000000006975')).toBeNull();
  });
});
