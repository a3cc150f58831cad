/** Events that endpoints can subscribe to. */
export const WEBHOOK_EVENTS = [
  'charge.created',
  'charge.pending',
  'charge.paid',
  'charge.refunded',
  'charge.refused',
  'charge.failed',
  'charge.pre_chargeback',
  'charge.chargeback',
  'charge.in_analysis',
  'charge.authentication_required',
  'refund.refused',
  'refund.failed',
  'payout.approved',
  'payout.rejected',
  'payout.sent',
  'payout.failed',
  'account.approved',
  'account.updated',
  'subscription.created',
  'subscription.activated',
  'subscription.renewed',
  'subscription.payment_failed',
  'subscription.cancelled',
  'subscription.paused',
  'subscription.expired',
  'charge.settled',
  'refund.pending',
  'payout.requested',
  'anticipation.created',
  'adjustment.created',
  'payment_method.active',
  'payment_method.failed',
  'payment_method.revoked',
  'checkout.opened',
  'checkout.completed',
  'checkout.expired',
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** Kinds that were added later. `*` does not include them, so that no receiver gets unknown events unasked. */
const NAMED_ONLY: readonly string[] = [
  'charge.settled',
  'refund.pending',
  'payout.requested',
  'anticipation.created',
  'adjustment.created',
  'payment_method.active',
  'payment_method.failed',
  'payment_method.revoked',
  'checkout.opened',
  'checkout.completed',
  'checkout.expired',
] satisfies readonly WebhookEvent[];

/** The kinds that `*` stands for. */
export const UNNAMED_EVENTS: readonly WebhookEvent[] = WEBHOOK_EVENTS.filter(
  (name) => !NAMED_ONLY.includes(name),
);

export const isWebhookEvent = (name: string): name is WebhookEvent =>
  (WEBHOOK_EVENTS as readonly string[]).includes(name);

/** All names under which events are sent. The last two go to a single address and never to endpoints. */
export const SENT_NAMES = [...WEBHOOK_EVENTS, 'charge.updated', 'account.status_changed'] as const;
export type SentName = (typeof SENT_NAMES)[number];

/** The names of an event for endpoints, for a charge's postbackUrl, and for a sub-merchant's. */
type Names = {
  readonly endpoints?: WebhookEvent;
  readonly postback?: SentName;
  readonly status?: SentName;
};

const everywhere = (name: WebhookEvent): Names => ({ endpoints: name, postback: name });
const updated = (name: WebhookEvent): Names => ({ endpoints: name, postback: 'charge.updated' });

/**
 * The names under which each domain event is sent. This is an allow-list: an event that is not in it is never sent.
 * Where the original interface has no name for a change of status, the postback gets `charge.updated`.
 */
const SENT: Readonly<Record<string, Readonly<Record<string, Names>>>> = {
  charge: {
    'charge.created': everywhere('charge.created'),
    'charge.pending': everywhere('charge.pending'),
    'charge.paid': everywhere('charge.paid'),
    'charge.refunded': everywhere('charge.refunded'),
    'charge.refused': updated('charge.refused'),
    'charge.failed': updated('charge.failed'),
    'charge.pre_chargeback': updated('charge.pre_chargeback'),
    'charge.chargeback': updated('charge.chargeback'),
    'charge.in_analysis': updated('charge.in_analysis'),
    'charge.authentication_required': updated('charge.authentication_required'),
    'charge.settled': { endpoints: 'charge.settled' },
  },
  refund: {
    'refund.pending': { endpoints: 'refund.pending' },
    'refund.refused': { endpoints: 'refund.refused' },
    'refund.failed': { endpoints: 'refund.failed' },
  },
  payout_request: {
    'payout.requested': { endpoints: 'payout.requested' },
    'payout.approved': { endpoints: 'payout.approved' },
    'payout.rejected': { endpoints: 'payout.rejected' },
    'payout.transfer_sent': { endpoints: 'payout.sent' },
    'payout.transfer_failed': { endpoints: 'payout.failed' },
  },
  anticipation: {
    'anticipation.created': { endpoints: 'anticipation.created' },
  },
  // A merchant hears of an adjustment once it is booked; proposals stay among operators.
  adjustment: {
    'adjustment.approved': { endpoints: 'adjustment.created' },
  },
  payment_method: {
    'payment_method.active': { endpoints: 'payment_method.active' },
    'payment_method.failed': { endpoints: 'payment_method.failed' },
    'payment_method.revoked': { endpoints: 'payment_method.revoked' },
  },
  checkout_session: {
    'checkout.opened': { endpoints: 'checkout.opened' },
    'checkout.completed': { endpoints: 'checkout.completed' },
    'checkout.expired': { endpoints: 'checkout.expired' },
  },
  subscription: {
    'subscription.created': everywhere('subscription.created'),
    'subscription.activated': everywhere('subscription.activated'),
    'subscription.renewed': everywhere('subscription.renewed'),
    'subscription.payment_failed': everywhere('subscription.payment_failed'),
    'subscription.cancelled': everywhere('subscription.cancelled'),
    'subscription.paused': everywhere('subscription.paused'),
    'subscription.expired': everywhere('subscription.expired'),
  },
  merchant: {
    'account.approved': { endpoints: 'account.approved', status: 'account.status_changed' },
    'account.status_changed': { endpoints: 'account.updated', status: 'account.status_changed' },
    'account.updated': { endpoints: 'account.updated' },
  },
};

/** The names under which a domain event is sent; empty for an event that is never sent. */
export const namesOf = (resource: string, type: string): Names => SENT[resource]?.[type] ?? {};

/** Whether an event of this name goes to the `postbackUrl` of a charge or subscription. */
export const goesToPostback = (name: SentName): boolean =>
  [SENT.charge, SENT.subscription]
    .flatMap((kinds) => Object.values(kinds ?? {}))
    .some(({ postback }) => postback === name);

/** Whether the customer of a charge was erased, which has to change the sent bodies as well. */
export const isErasure = (resource: string, type: string): boolean =>
  resource === 'charge' && type === 'charge.customer_erased';

/** Whether this domain event may be sent to anybody. */
export const isSendable = (resource: string, type: string): boolean =>
  Object.keys(namesOf(resource, type)).length > 0;
