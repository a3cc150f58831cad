import { timestamp } from '../../../kernel/clock.ts';
import type { MerchantId } from '../../../kernel/ids.ts';
import { type Charge, openCharge } from '../../charges/write/charge.ts';
import { type Merchant, openMerchant } from '../../merchants/write/merchant.ts';
import type { PayoutRequest } from '../../payouts/write/payout-request.ts';
import type { WebhookEvent } from '../write/event-kinds.ts';
import type { SampleOf } from '../write/send-test-event.ts';
import { envelopeOf } from './envelope.ts';

const NOUGHTS = '0'.repeat(32);

/** A sample says `livemode` false in either environment: nobody shall ship goods for it. */
export const sampleOf: SampleOf = ({ merchantId }, event, id, now) => {
  const [family] = event.split('.');
  if (family === 'subscription') {
    const resourceId = `sub_${NOUGHTS}`;
    return { resourceId, body: JSON.stringify({ id, event, livemode: false, data: { id: resourceId } }) };
  }
  const [resource, data] =
    family === 'charge'
      ? (['charge', sampleCharge(merchantId, event, now)] as const)
      : family === 'payout'
        ? (['payout_request', samplePayout(merchantId, event, now)] as const)
        : (['merchant', sampleAccount(merchantId, now)] as const);
  return { resourceId: data.id, body: JSON.stringify(envelopeOf({ resource, data }, event, id)) };
};

const sampleCharge = (merchantId: MerchantId, event: WebhookEvent, now: Date): Charge => {
  const opened = openCharge(
    {
      id: `chg_${NOUGHTS}`,
      livemode: false,
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
        firstSix: '424242',
        lastFour: '4242',
        expirationMonth: '12',
        expirationYear: '2035',
        holderName: 'SAMPLE CUSTOMER',
        brand: 'visa',
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
  const status = event === 'charge.created' ? 'pending' : (event.slice('charge.'.length) as Charge['status']);
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

const samplePayout = (merchantId: MerchantId, event: WebhookEvent, now: Date): PayoutRequest => ({
  id: `po_${NOUGHTS}`,
  version: 1,
  livemode: false,
  merchantId,
  masterId: null,
  amount: 100_00,
  payoutFee: 1_00,
  netAmount: 99_00,
  currency: 'BRL',
  fee: { version: 0, fixed: 1_00, variable: 0 },
  status: event === 'payout.approved' ? 'approved' : 'rejected',
  externalAccountDetails: { type: 'pix', pixKey: '00000000000000' },
  rejectionReason: event === 'payout.rejected' ? 'sample' : null,
  transferStatus: null,
  transferReference: null,
  transferFailureReason: null,
  sentAt: null,
  returnedAt: null,
  processedAt: timestamp(now),
  createdAt: timestamp(now),
  updatedAt: timestamp(now),
});

const sampleAccount = (masterId: MerchantId, now: Date): Merchant => ({
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
  masterId,
  livemode: false,
});
