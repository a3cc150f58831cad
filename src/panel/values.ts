import type { Schemas } from '../client/client.ts';
import type { Option } from './components/field.tsx';
import { tStatus } from './words.ts';

/** Lists the values of a type of the API; the compiler names each one that is missing or gone. */
const valuesOf = <Value extends string>(values: Readonly<Record<Value, true>>): readonly Value[] =>
  Object.keys(values) as Value[];

/** Values as choices, in words. */
export const optionsOf = (values: readonly string[]): readonly Option[] =>
  values.map((value) => ({ value, label: tStatus(value) }));

/** Values as choices, as the API spells them. */
export const namesOf = (values: readonly string[]): readonly Option[] =>
  values.map((value) => ({ value, label: value }));

export const HTTP_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

export const CHARGE_STATUSES = valuesOf<Schemas['Charge']['status']>({
  paid: true,
  pending: true,
  refused: true,
  failed: true,
  refunded: true,
  in_analysis: true,
  authentication_required: true,
  pre_chargeback: true,
  chargeback: true,
});

export type PaymentMethod = Schemas['PaymentMethod']['type'];
export const PAYMENT_METHODS = valuesOf<PaymentMethod>({
  credit_card: true,
  pix: true,
  voucher: true,
  banktransfer: true,
  qrcode: true,
});

export const CARD_BRANDS = valuesOf<NonNullable<Schemas['CardFee']['brand']>>({
  visa: true,
  mastercard: true,
  'american-express': true,
  elo: true,
  hipercard: true,
  discover: true,
  'diners-club': true,
  jcb: true,
  naranja: true,
  cabal: true,
});

export const MOVEMENTS = valuesOf<Schemas['StatementEntry']['movement_type']>({
  charge: true,
  charge_spread: true,
  split_credit: true,
  split_debit: true,
  settlement: true,
  anticipation: true,
  anticipation_fee: true,
  refund: true,
  refund_split: true,
  refund_reversal: true,
  chargeback_alert_refund: true,
  chargeback_alert_fee: true,
  chargeback: true,
  payout: true,
  payout_fee: true,
  payout_reversal: true,
  payout_fee_reversal: true,
  adjustment: true,
  suspense_clearing: true,
  own_collection: true,
});

export const SUBSCRIPTION_STATUSES = valuesOf<Schemas['Subscription']['status']>({
  incomplete: true,
  trialing: true,
  active: true,
  past_due: true,
  paused: true,
  cancelled: true,
  expired: true,
});

export const INTERVALS = valuesOf<Schemas['Plan']['interval']>({ week: true, month: true, year: true });

export const DISPUTE_KINDS = valuesOf<Schemas['Dispute']['kind']>({ alert: true, chargeback: true });

export const DISPUTE_STATES = valuesOf<Schemas['Dispute']['state']>({
  announced: true,
  open: true,
  under_review: true,
  won: true,
  lost: true,
});

export const EVIDENCE_TYPES = valuesOf<Schemas['DisputeEvidence']['type']>({
  receipt: true,
  shipping_documentation: true,
  service_documentation: true,
  customer_communication: true,
  customer_signature: true,
  refund_policy: true,
  cancellation_policy: true,
  duplicate_charge_documentation: true,
  other: true,
});

export const BUCKETS = valuesOf<Schemas['StatementEntry']['bucket']>({ available: true, reserved: true });

export const MERCHANT_ROLES = valuesOf<Schemas['Merchant']['role']>({ Merchant: true, MerchantMaster: true });

export const CHECKOUT_STATUSES = valuesOf<Schemas['CheckoutSession']['status']>({
  open: true,
  processing: true,
  completed: true,
  expired: true,
  cancelled: true,
});

export const LINK_STATUSES = valuesOf<Schemas['PaymentLink']['status']>({
  active: true,
  paused: true,
  completed: true,
  expired: true,
  cancelled: true,
});

/** Facts that the page of a payment link can ask for. */
export const LINK_FIELDS = valuesOf<Schemas['PaymentLink']['fields'][number]>({
  name: true,
  email: true,
  document: true,
  phone: true,
  address: true,
});

export const MERCHANT_STATUSES = valuesOf<Schemas['Merchant']['status']>({
  pre_approved: true,
  active: true,
  rejected: true,
  blocked: true,
});

type KeyPermission = NonNullable<Schemas['IssuedApiKey']['permissions']>[number];
const OF_KEYS: Readonly<Record<KeyPermission, true>> = {
  'charges.create': true,
  'charges.read': true,
  'refunds.create': true,
  'statement.read': true,
  'submerchants.manage': true,
  'payouts.create': true,
  'payouts.read': true,
  'fees.read': true,
  'anticipations.create': true,
  'webhooks.manage': true,
  'customers.manage': true,
  'payment_methods.manage': true,
  'subscriptions.manage': true,
  'checkout.manage': true,
  'disputes.manage': true,
};

/** Permissions that a key can have. */
export const KEY_PERMISSIONS = valuesOf<KeyPermission>(OF_KEYS);

export const MERCHANT_PERMISSIONS = valuesOf<Schemas['Merchant']['permissions'][number]>({
  ...OF_KEYS,
  'keys.manage': true,
  'users.manage': true,
});

/** Permissions that a group can have. */
export const GROUP_PERMISSIONS = valuesOf<Schemas['Group']['permissions'][number]>({
  'admin.charges.read': true,
  'admin.refunds.manual': true,
  'admin.chargeback_alerts.create': true,
  'admin.chargebacks.confirm': true,
  'admin.manual_refund_requests.read': true,
  'admin.manual_refund_requests.update': true,
  'admin.merchants.read': true,
  'admin.merchants.update': true,
  'admin.payout_requests.read': true,
  'admin.payout_requests.update': true,
  'admin.reports.read': true,
  'admin.webhooks.read': true,
  'admin.webhooks.update': true,
  'admin.users.update': true,
  'admin.audit.read': true,
  'admin.adjustments.create': true,
  'admin.adjustments.approve': true,
  'admin.customers.erase': true,
  'keys.manage': true,
  'users.manage': true,
});

export const PROPOSAL_STATUSES = valuesOf<Schemas['Proposal']['status']>({
  pending: true,
  approved: true,
  rejected: true,
  expired: true,
});

export const PROPOSAL_KINDS = valuesOf<Schemas['Proposal']['kind']>({
  'user.create': true,
  'user.update': true,
  'user.password_reset': true,
  'user.second_factor_reset': true,
  'group.create': true,
  'group.update': true,
  'payout.approve': true,
  'provider_account.create': true,
  'provider_account.replace': true,
  'setting.routes': true,
  'setting.routes_removal': true,
});

export const REFUND_STATUSES = valuesOf<Schemas['Refund']['status']>({
  pending: true,
  refunded: true,
  refused: true,
  failed: true,
});

export const SUSPENSE_STATUSES = valuesOf<Schemas['SuspenseItem']['status']>({
  held: true,
  returning: true,
  returned: true,
  booking: true,
  booked: true,
});

export const SUSPENSE_REASONS = valuesOf<Schemas['SuspenseItem']['reason']>({
  late_payment: true,
  second_payment: true,
  payment_of_closed_charge: true,
  payment_of_other_amount: true,
  unknown_payment: true,
  unexpected_refund: true,
  unexpected_chargeback: true,
  chargeback_reversed: true,
});

export const NOTIFICATION_KINDS = valuesOf<Schemas['ProviderNotification']['kind']>({
  payment: true,
  refund: true,
  chargeback: true,
  chargeback_reversed: true,
  dispute_lost: true,
  fraud_warning: true,
  stored_card: true,
  mandate: true,
  other: true,
});

export const NOTIFICATION_OUTCOMES = valuesOf<Schemas['NotificationOutcome']>({
  applied: true,
  waiting: true,
  suspense: true,
  for_operator: true,
  ignored: true,
});

export const ADJUSTMENT_STATUSES = valuesOf<Schemas['Adjustment']['status']>({
  pending: true,
  approved: true,
  rejected: true,
});

export const WEBHOOK_EVENTS = valuesOf<Schemas['WebhookEndpoint']['events'][number]>({
  '*': true,
  'charge.created': true,
  'charge.pending': true,
  'charge.paid': true,
  'charge.refunded': true,
  'charge.refused': true,
  'charge.failed': true,
  'charge.pre_chargeback': true,
  'charge.chargeback': true,
  'charge.in_analysis': true,
  'charge.authentication_required': true,
  'refund.refused': true,
  'refund.failed': true,
  'payout.approved': true,
  'payout.rejected': true,
  'payout.sent': true,
  'payout.failed': true,
  'account.approved': true,
  'account.updated': true,
  'subscription.created': true,
  'subscription.activated': true,
  'subscription.renewed': true,
  'subscription.payment_failed': true,
  'subscription.cancelled': true,
  'subscription.paused': true,
  'subscription.expired': true,
  'charge.settled': true,
  'refund.pending': true,
  'payout.requested': true,
  'anticipation.created': true,
  'adjustment.created': true,
  'payment_method.active': true,
  'payment_method.failed': true,
  'payment_method.revoked': true,
  'checkout.opened': true,
  'checkout.completed': true,
  'checkout.expired': true,
});

export const DELIVERY_STATUSES = valuesOf<Schemas['WebhookDelivery']['status']>({
  pending: true,
  delivered: true,
  failed: true,
  unknown: true,
});

export const DELIVERY_CHANNELS = valuesOf<Schemas['WebhookDelivery']['channel']>({
  endpoint: true,
  postback: true,
  payout: true,
  status: true,
});
