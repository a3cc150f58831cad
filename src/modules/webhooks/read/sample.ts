import { timestamp } from '../../../kernel/clock.ts';
import type { Resource } from '../../../kernel/event.ts';
import type { Adjustment } from '../../adjustments/write/adjustment.ts';
import type { Anticipation } from '../../anticipations/write/anticipation.ts';
import { type Charge, openCharge } from '../../charges/write/charge.ts';
import { type CheckoutSession, openSession } from '../../checkout/write/checkout-session.ts';
import { type Merchant, openMerchant } from '../../merchants/write/merchant.ts';
import type { PayoutRequest } from '../../payouts/write/payout-request.ts';
import { openRefund, type Refund } from '../../refunds/write/refund.ts';
import type { StoredMethod } from '../../stored-methods/write/stored-method.ts';
import { localDate } from '../../subscriptions/write/calendar.ts';
import { openSubscription, type Subscription } from '../../subscriptions/write/subscription.ts';
import type { WebhookEndpoint } from '../write/endpoint.ts';
import type { WebhookEvent } from '../write/event-kinds.ts';
import type { SampleOf } from '../write/send-test-event.ts';
import { NOUGHTS } from '../write/sent-event.ts';
import { envelopeOf } from './envelope.ts';

type Recipient = Pick<WebhookEndpoint, 'merchantId' | 'livemode'>;

/**
 * A sample looks like an event of the endpoint's environment, but its resource, whose id is all zeros, does not exist.
 */
export const sampleOf: SampleOf = (endpoint, event, id, now) => {
  const subject = subjectOf(endpoint, event, now);
  return { resourceId: subject.data.id, body: JSON.stringify(envelopeOf(subject, event, id)) };
};

const subjectOf = (
  to: Recipient,
  event: WebhookEvent,
  now: Date,
): { readonly resource: string; readonly data: Resource } => {
  switch (event.split('.')[0]) {
    case 'charge':
      return { resource: 'charge', data: sampleCharge(to, event, now) };
    case 'refund':
      return { resource: 'refund', data: sampleRefund(to, event, now) };
    case 'anticipation':
      return { resource: 'anticipation', data: sampleAnticipation(to, now) };
    case 'adjustment':
      return { resource: 'adjustment', data: sampleAdjustment(to, now) };
    case 'payment_method':
      return { resource: 'payment_method', data: sampleMethod(to, event, now) };
    case 'checkout':
      return { resource: 'checkout_session', data: sampleSession(to, event, now) };
    case 'subscription':
      return { resource: 'subscription', data: sampleSubscription(to, event, now) };
    case 'payout':
      return { resource: 'payout_request', data: samplePayout(to, event, now) };
    default:
      return { resource: 'merchant', data: sampleAccount(to, now) };
  }
};

const sampleSession = (
  { merchantId, livemode }: Recipient,
  event: WebhookEvent,
  now: Date,
): CheckoutSession => {
  const { data: session } = openSession(
    {
      id: `chk_${NOUGHTS}`,
      merchantId,
      masterId: null,
      livemode,
      url: 'https://gateway.example.com/checkout/sample',
      token: 'sample',
      paymentLinkId: null,
      amount: 100_00,
      currency: 'BRL',
      description: 'sample',
      items: null,
      customerId: null,
      customer: null,
      methods: null,
      maxInstallments: 1,
      saveMethod: 'never',
      locale: null,
      returnUrl: null,
      cancelUrl: null,
      postbackUrl: null,
      split: null,
      reference: null,
      metadata: null,
      expiresAt: timestamp(now),
    },
    now,
  );
  if (event === 'checkout.opened') return session;
  if (event === 'checkout.expired') return { ...session, status: 'expired' };
  const chargeId = `chg_${NOUGHTS}` as const;
  return { ...session, status: 'completed', chargeId, chargeIds: [chargeId], completedAt: timestamp(now) };
};

const sampleRefund = (to: Recipient, event: WebhookEvent, now: Date): Refund => ({
  ...openRefund(
    sampleCharge(to, 'charge.paid', now),
    null,
    { id: `ref_${NOUGHTS}`, reason: 'sample', reconcileAt: timestamp(now) },
    now,
  ).data,
  status: event === 'refund.pending' ? 'pending' : event === 'refund.refused' ? 'refused' : 'failed',
  reason: event === 'refund.pending' ? null : 'sample',
});

const sampleAnticipation = ({ merchantId, livemode }: Recipient, now: Date): Anticipation => ({
  id: `ant_${NOUGHTS}`,
  version: 0,
  livemode,
  merchantId,
  masterId: null,
  chargeId: null,
  requestedAmount: 100_00,
  currency: 'BRL',
  amount: 100_00,
  fee: 1_00,
  netAmount: 99_00,
  feeVersion: 0,
  charges: [],
  createdAt: timestamp(now),
});

const sampleAdjustment = ({ merchantId, livemode }: Recipient, now: Date): Adjustment => ({
  id: `adj_${NOUGHTS}`,
  version: 1,
  livemode,
  merchantId,
  masterId: null,
  amount: 1_00,
  currency: 'BRL',
  reason: 'sample',
  status: 'approved',
  createdByUserId: `usr_${NOUGHTS}`,
  processedByUserId: `usr_${NOUGHTS}`,
  rejectionReason: null,
  ledgerEntryId: `led_${NOUGHTS}`,
  processedAt: timestamp(now),
  createdAt: timestamp(now),
  updatedAt: timestamp(now),
});

const sampleMethod = ({ merchantId, livemode }: Recipient, event: WebhookEvent, now: Date): StoredMethod => ({
  id: `pm_${NOUGHTS}`,
  version: 1,
  livemode,
  merchantId,
  masterId: null,
  customerId: `cus_${NOUGHTS}`,
  type: 'credit_card',
  status: event.slice('payment_method.'.length) as StoredMethod['status'],
  card: { ...SAMPLE_CARD, holderName: null },
  provider: 'sample',
  chargeId: null,
  payment: null,
  providerMethod: null,
  providerCustomer: null,
  networkTransactionId: null,
  consentAt: timestamp(now),
  authenticationUrl: null,
  failureReason: event === 'payment_method.failed' ? 'sample' : null,
  reconcileAt: null,
  createdAt: timestamp(now),
  updatedAt: timestamp(now),
});

const subscriptionAfter = (event: WebhookEvent): Subscription['status'] => {
  const name = event.slice('subscription.'.length);
  if (name === 'created') return 'incomplete';
  if (name === 'payment_failed') return 'past_due';
  const ends: readonly string[] = ['cancelled', 'paused', 'expired'];
  return ends.includes(name) ? (name as Subscription['status']) : 'active';
};

const sampleSubscription = (
  { merchantId, livemode }: Recipient,
  event: WebhookEvent,
  now: Date,
): Subscription => {
  const date = localDate(now, 'UTC');
  const opened = openSubscription(
    {
      id: `sub_${NOUGHTS}`,
      merchantId,
      masterId: null,
      livemode,
      customerId: `cus_${NOUGHTS}`,
      planId: `plan_${NOUGHTS}`,
      price: { amount: 49_90, currency: 'BRL', interval: 'month', intervalCount: 1 },
      collection: 'automatic',
      paymentMethodId: `pm_${NOUGHTS}`,
      payerMethod: null,
      payerDays: 3,
      calendar: {
        interval: 'month',
        intervalCount: 1,
        cycle: 1,
        date,
        day: Number(date.slice(8)),
        timeZone: 'UTC',
        hour: 9,
      },
      nextCycleAt: timestamp(now),
      trialEnd: null,
      maxCycles: null,
      endDate: null,
      retryDays: [1, 3, 5, 7],
      onExhausted: 'cancel',
      split: null,
      description: null,
      metadata: null,
      reference: 'sample',
      postbackUrl: null,
    },
    now,
  ).data;
  return { ...opened, version: 1, status: subscriptionAfter(event) };
};

const SAMPLE_CARD = {
  firstSix: '424242',
  lastFour: '4242',
  expirationMonth: '12',
  expirationYear: '2035',
  brand: 'visa',
};

const statusAfter = (event: WebhookEvent): Charge['status'] => {
  if (event === 'charge.created') return 'pending';
  return event === 'charge.settled' ? 'paid' : (event.slice('charge.'.length) as Charge['status']);
};

const sampleCharge = ({ merchantId, livemode }: Recipient, event: WebhookEvent, now: Date): Charge => {
  const opened = openCharge(
    {
      id: `chg_${NOUGHTS}`,
      livemode,
      merchantId,
      masterId: null,
      amount: 100_00,
      currency: 'BRL',
      spread: 3_00,
      fee: { version: 0, fixed: 0, percentage: 3 },
      customer: {
        id: `cus_${NOUGHTS}`,
        name: 'Sample Customer',
        email: 'customer@example.com',
        phone: null,
        document: null,
        address: null,
      },
      paymentMethod: {
        type: 'credit_card',
        ...SAMPLE_CARD,
        holderName: 'SAMPLE CUSTOMER',
        installments: 1,
      },
      provider: 'sample',
      reference: 'sample',
      items: null,
      metadata: null,
      postbackUrl: null,
      split: null,
      duplicateKey: 'sample',
      reconcileAt: null,
      expiresAt: null,
    },
    now,
  ).data;
  const status = statusAfter(event);
  const wasPaid = ['paid', 'refunded', 'pre_chargeback', 'chargeback'].includes(status);
  return {
    ...opened,
    status,
    pspRefId: 'sample',
    paidAt: wasPaid ? timestamp(now) : null,
    refundedAt: status === 'refunded' ? timestamp(now) : null,
    failureReason: status === 'refused' || status === 'failed' ? 'card_declined' : null,
  };
};

export const samplePayout = (
  { merchantId, livemode }: Recipient,
  event: WebhookEvent,
  now: Date,
): PayoutRequest => ({
  id: `po_${NOUGHTS}`,
  version: 1,
  livemode,
  merchantId,
  masterId: null,
  amount: 100_00,
  payoutFee: 1_00,
  netAmount: 99_00,
  currency: 'BRL',
  fee: { version: 0, fixed: 1_00, variable: 0 },
  status: event === 'payout.requested' ? 'pending' : event === 'payout.rejected' ? 'rejected' : 'approved',
  externalAccountDetails: { type: 'pix', pixKey: '00000000000000' },
  rejectionReason: event === 'payout.rejected' ? 'sample' : null,
  transferStatus: event === 'payout.sent' ? 'sent' : event === 'payout.failed' ? 'failed' : null,
  transferReference: event === 'payout.sent' ? 'sample' : null,
  transferFailureReason: event === 'payout.failed' ? 'sample' : null,
  sentAt: null,
  returnedAt: null,
  processedAt: event === 'payout.requested' ? null : timestamp(now),
  createdAt: timestamp(now),
  updatedAt: timestamp(now),
});

const sampleAccount = ({ merchantId, livemode }: Recipient, now: Date): Merchant => ({
  ...openMerchant(
    {
      legalName: 'Sample Merchant',
      email: 'merchant@example.com',
      companyTaxId: null,
      role: 'Merchant',
      timeZone: 'UTC',
    },
    `mer_${NOUGHTS}`,
    now,
  ).data,
  masterId: merchantId,
  livemode,
});
