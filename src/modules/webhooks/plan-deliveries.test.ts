import {
  aCharge,
  aMerchant,
  anEndpoint,
  aPixCharge,
  aRefund,
  NOW,
  PIX_INSTRUCTIONS,
} from '../../../test/builders.ts';
import type { DomainEvent, Resource } from '../../kernel/event.ts';
import { withoutCustomer } from '../erasure/write/erasure.ts';
import { reportTransfer } from '../payouts/write/payout-request.ts';
import { type Planned, planDeliveries } from './plan-deliveries.ts';
import { withCustomerOf } from './read/envelope.ts';
import { samplePayout } from './read/sample.ts';

const EVENT_ID = 'evt_019a8b2c3d4e7f00912345678900abcd';

const eventOf = (resource: string, type: string, data: Resource): DomainEvent => ({
  id: EVENT_ID,
  type,
  resource,
  resourceId: data.id,
  version: data.version,
  at: NOW.toISOString(),
  actor: { kind: 'system', id: 'test' },
  requestId: 'test',
  data,
});

const POSTBACK = { postbackUrl: 'https://postback.test/' };
const shown = (planned: readonly Planned[]): readonly string[] =>
  planned.flatMap(({ sent, deliveries }) => deliveries.map(({ channel }) => `${channel} ${sent.event}`));
const bodyOf = (planned: readonly Planned[]): unknown => JSON.parse(planned[0]?.sent.body ?? 'null');

describe('a charge event', () => {
  it.each([
    ['charge.created', ['endpoint charge.created', 'postback charge.created']],
    ['charge.pending', ['endpoint charge.pending', 'postback charge.pending']],
    ['charge.paid', ['endpoint charge.paid', 'postback charge.paid']],
    ['charge.refunded', ['endpoint charge.refunded', 'postback charge.refunded']],
    ['charge.refused', ['endpoint charge.refused', 'postback charge.updated']],
    ['charge.failed', ['endpoint charge.failed', 'postback charge.updated']],
    ['charge.pre_chargeback', ['endpoint charge.pre_chargeback', 'postback charge.updated']],
    ['charge.chargeback', ['endpoint charge.chargeback', 'postback charge.updated']],
    ['charge.in_analysis', ['endpoint charge.in_analysis', 'postback charge.updated']],
    [
      'charge.authentication_required',
      ['endpoint charge.authentication_required', 'postback charge.updated'],
    ],
    ['charge.refund_opened', []],
    ['charge.refund_closed', []],
    ['charge.settled', []],
    ['charge.customer_erased', []],
  ])('%s goes to %j', (type, expected) => {
    const planned = planDeliveries(eventOf('charge', type, aCharge(POSTBACK)), [anEndpoint()], NOW);
    expect(shown(planned)).toEqual(expected);
    // Receivers drop ids that they know, so an event under two names has to have two ids.
    expect(new Set(planned.map(({ sent }) => sent.id)).size).toBe(
      new Set(planned.map(({ sent }) => sent.event)).size,
    );
  });

  it('has the charge in its envelope, and not its provider', () => {
    const [planned] = planDeliveries(eventOf('charge', 'charge.paid', aCharge()), [anEndpoint()], NOW);
    const body = JSON.parse(planned?.sent.body ?? '');
    expect(Object.keys(body)).toEqual(['id', 'event', 'livemode', 'data']);
    expect(body).toMatchObject({ id: EVENT_ID, event: 'charge.paid', livemode: false });
    expect(body.data).toMatchObject({
      id: 'chg_1',
      amount: 100,
      net: 97,
      paymentMethod: { lastFour: '4242' },
    });
    expect(planned?.sent.body).not.toMatch(/provider|duplicateKey/);
  });

  it('of a Pix charge holds nothing that could be paid', () => {
    const charge = aPixCharge({ instructions: { ...PIX_INSTRUCTIONS, copyPaste: 'a-pix-payload' } });
    const [planned] = planDeliveries(eventOf('charge', 'charge.pending', charge), [anEndpoint()], NOW);
    expect(planned?.sent.body).toContain('"paymentDetails":{"endToEndId":"E1"}');
    expect(planned?.sent.body).not.toContain('a-pix-payload');
  });

  it('is nobody’s business without endpoint and postback', () => {
    expect(planDeliveries(eventOf('charge', 'charge.paid', aCharge()), [], NOW)).toEqual([]);
  });

  it('is planned alike each time', () => {
    const plan = (): readonly Planned[] =>
      planDeliveries(eventOf('charge', 'charge.failed', aCharge(POSTBACK)), [anEndpoint()], NOW);
    expect(plan()).toEqual(plan());
  });
});

describe('the body about a charge whose customer is erased', () => {
  it('names nobody and says the same otherwise', () => {
    const charge = aCharge();
    const [planned] = planDeliveries(eventOf('charge', 'charge.paid', charge), [anEndpoint()], NOW);
    const before = planned?.sent.body ?? '';
    const erased = eventOf('charge', 'charge.customer_erased', withoutCustomer(charge));
    const after = withCustomerOf(erased, before);
    expect(before).toContain('Ana Souza');
    expect(after).not.toMatch(/Ana|ana@/);
    expect(JSON.parse(after)).toMatchObject({ id: EVENT_ID, event: 'charge.paid', data: { amount: 100 } });
    expect(withCustomerOf(erased, after)).toBe(after);
  });
});

describe('a refund event', () => {
  it.each(['refused', 'failed'] as const)(
    'of one that is %s has the refund as the API shows it',
    (status) => {
      const refund = aRefund({ status, reason: 'refund_refused' });
      const planned = planDeliveries(eventOf('refund', `refund.${status}`, refund), [anEndpoint()], NOW);
      expect(shown(planned)).toEqual([`endpoint refund.${status}`]);
      expect(bodyOf(planned)).toMatchObject({
        id: EVENT_ID,
        event: `refund.${status}`,
        livemode: false,
        data: { id: 'ref_1', chargeId: 'chg_1', status, reason: 'refund_refused' },
      });
    },
  );

  it.each(['refund.opened', 'refund.pending', 'refund.refunded'])('%s is nobody’s business', (type) => {
    expect(planDeliveries(eventOf('refund', type, aRefund()), [anEndpoint()], NOW)).toEqual([]);
  });
});

describe('a payout event', () => {
  const payout = {
    id: 'po_1',
    version: 2,
    livemode: false,
    merchantId: 'mer_1',
    masterId: null,
    amount: 10_000,
    currency: 'BRL',
    payoutFee: 150,
    netAmount: 9_850,
    status: 'approved',
    processedAt: NOW.toISOString(),
    rejectionReason: null,
    externalAccountDetails: { type: 'pix', pixKey: '00000000000000' },
  };
  const facts = { id: 'po_1', merchantId: 'mer_1', amount: 10_000, currency: 'BRL' };

  it('has the id of the resource and no livemode, and one attempt', () => {
    const event = eventOf('payout_request', 'payout.approved', payout);
    const planned = planDeliveries(event, [anEndpoint()], NOW);
    expect(shown(planned)).toEqual(['payout payout.approved']);
    expect(bodyOf(planned)).toEqual({
      id: 'po_1',
      event: 'payout.approved',
      data: {
        ...facts,
        status: 'approved',
        payoutFee: 150,
        netAmount: 9_850,
        processedAt: NOW.toISOString(),
      },
    });
  });

  it('of a rejection says why', () => {
    const rejected = { ...payout, status: 'rejected', rejectionReason: 'no' };
    const planned = planDeliveries(
      eventOf('payout_request', 'payout.rejected', rejected),
      [anEndpoint()],
      NOW,
    );
    expect(bodyOf(planned)).toMatchObject({ data: { ...facts, rejectionReason: 'no' } });
  });
});

describe('a payout event of a transfer', () => {
  const approved = samplePayout({ merchantId: 'mer_1', livemode: false }, 'payout.approved', NOW);
  const reports = [
    { status: 'sent', reference: 'bank-1', reason: null },
    { status: 'failed', reference: null, reason: 'account closed' },
  ] as const;

  it.each(reports)('says how it ended: $status', (report) => {
    const { type, data } = reportTransfer({ ...approved, transferStatus: 'pending' }, report, NOW);
    const planned = planDeliveries(eventOf('payout_request', type, data), [anEndpoint()], NOW);
    expect(shown(planned)).toEqual([`payout payout.${report.status}`]);
    expect(planned[0]?.sent.id).toBe(EVENT_ID);
    expect(bodyOf(planned)).toMatchObject({
      id: data.id,
      event: `payout.${report.status}`,
      data: {
        status: 'approved',
        transferStatus: report.status,
        transferReference: report.reference,
        transferFailureReason: report.reason,
      },
    });
  });
});

describe('an account event', () => {
  const submerchant = aMerchant({
    id: 'mer_2',
    masterId: 'mer_1',
    livemode: false,
    status: 'active',
    postbackUrl: 'https://status.test/',
  });
  const endpoints = [
    anEndpoint({ id: 'whe_1', includeSubmerchants: true }),
    anEndpoint({ id: 'whe_2', merchantId: 'mer_2', masterId: 'mer_1' }),
    anEndpoint({ id: 'whe_3' }),
  ];

  it.each([
    ['account.created', []],
    ['account.approved', [...Array(3).fill('endpoint account.approved'), 'status account.status_changed']],
    [
      'account.status_changed',
      [...Array(3).fill('endpoint account.updated'), 'status account.status_changed'],
    ],
    ['account.updated', Array(3).fill('endpoint account.updated')],
  ])('%s of a sub-merchant goes to %j', (type, expected) => {
    expect(shown(planDeliveries(eventOf('merchant', type, submerchant), endpoints, NOW))).toEqual(expected);
  });

  it('has the charge family’s envelope, and the status postback none', () => {
    const [account, status] = planDeliveries(
      eventOf('merchant', 'account.approved', submerchant),
      endpoints,
      NOW,
    );
    expect(JSON.parse(account?.sent.body ?? '')).toMatchObject({
      id: EVENT_ID,
      event: 'account.approved',
      livemode: false,
      data: { id: 'mer_2', masterId: 'mer_1', status: 'active' },
    });
    expect(status?.sent.body).toBe(
      JSON.stringify({ merchantId: 'mer_2', status: 'active', date: NOW.toISOString() }),
    );
  });

  it('does not exist for a merchant that is no sub-merchant', () => {
    const event = eventOf('merchant', 'account.updated', aMerchant());
    expect(planDeliveries(event, [anEndpoint()], NOW)).toEqual([]);
  });
});
