import type { MerchantId } from '../kernel/ids.ts';
import { ADJUSTMENTS } from '../modules/adjustments/write/adjustment.ts';
import { ANTICIPATIONS } from '../modules/anticipations/write/anticipation.ts';
import { CARD_TOKENS } from '../modules/card-tokens/write/card-token.ts';
import { CHARGEBACK_ALERTS, MANUAL_REFUND_REQUESTS } from '../modules/chargebacks/write/chargebacks.store.ts';
import { CHARGES, REFERENCES_TAKEN } from '../modules/charges/write/charge.store.ts';
import { CHECKOUT_SESSIONS } from '../modules/checkout/write/checkout-session.ts';
import { LINK_PLACES, PAYMENT_LINKS } from '../modules/checkout/write/payment-link.ts';
import { CUSTOMERS } from '../modules/customers/write/customer.ts';
import { DISPUTES } from '../modules/disputes/write/disputes.store.ts';
import { DISPUTE_DOCUMENTS } from '../modules/disputes/write/evidence.ts';
import { JOURNALS, type Journal, merchantOf, type ReferenceType } from '../modules/ledger/write/journal.ts';
import { BALANCES } from '../modules/ledger/write/ledger.store.ts';
import { STATEMENT_LINES } from '../modules/ledger/write/statement-line.ts';
import { NOTES } from '../modules/notes/write/note.ts';
import { PAYOUT_REQUESTS } from '../modules/payouts/write/payout-request.ts';
import { PORTALS } from '../modules/portal/write/portal.ts';
import { PROVIDER_NOTIFICATIONS } from '../modules/provider-notifications/write/notifications.store.ts';
import { REFUNDS } from '../modules/refunds/write/refund.store.ts';
import { REQUEST_LOG } from '../modules/request-log/write/logged-request.ts';
import { STORED_METHODS } from '../modules/stored-methods/write/stored-methods.store.ts';
import { SUBMERCHANT_DOCUMENTS } from '../modules/submerchants/write/document.ts';
import { CYCLES } from '../modules/subscriptions/write/cycle.ts';
import { PLANS } from '../modules/subscriptions/write/plan.ts';
import { SUBSCRIPTIONS } from '../modules/subscriptions/write/subscription.ts';
import { SUBSCRIPTION_REFERENCES } from '../modules/subscriptions/write/unique-reference.ts';
import { SUSPENSE_ITEMS } from '../modules/suspense/write/suspense.store.ts';
import { DELIVERIES } from '../modules/webhooks/write/delivery.ts';
import { WEBHOOK_ENDPOINTS } from '../modules/webhooks/write/endpoint.ts';
import { SENT_EVENTS } from '../modules/webhooks/write/sent-event.ts';
import { QUEUES } from '../modules/webhooks/write/webhooks.store.ts';
import { AUDIT_LOG, type AuditEntry } from '../platform/write-store/audit.ts';
import type { SubjectOf } from '../platform/write-store/name-tenants.ts';
import { OUTBOX } from '../platform/write-store/outbox.ts';
import { DOMAIN_EVENTS } from '../platform/write-store/write-set.ts';

type Document = Parameters<SubjectOf>[0];

const itself: SubjectOf = (document) => document;

/** The resource of an audit entry, by which its tenant is found; unknown for an entry without `before` and `after`. */
const picturedIn: SubjectOf = (document) => {
  const { before, after } = document as Pick<AuditEntry, 'before' | 'after'>;
  const picture = after ?? before;
  return picture === null || picture === undefined ? {} : (JSON.parse(picture) as object);
};

const dataOf: SubjectOf = ({ resource, data }) =>
  resource === AUDIT_LOG.resource ? picturedIn(data as Document) : (data as object);

const REFERENCES: { readonly [Type in ReferenceType]?: string } = {
  payout_request: PAYOUT_REQUESTS.collection,
  suspense: SUSPENSE_ITEMS.collection,
};

/** The subject of a journal. A journal between accounts of the gateway belongs to the record that it is about. */
const ofJournal: SubjectOf = (document) => {
  const { postings, referenceType, referenceId } = document as Journal;
  const collection = REFERENCES[referenceType];
  return {
    merchantId: merchantOf({ postings }),
    ...(collection ? { beside: { collection, id: referenceId } } : {}),
  };
};

/** Collections in which each document names its tenant, each with the function that finds the document's subject. */
export const TENANT_COLLECTIONS: ReadonlyMap<string, SubjectOf> = new Map<string, SubjectOf>([
  [CHARGES.collection, itself],
  [CARD_TOKENS.collection, itself],
  [PORTALS.collection, itself],
  [CHECKOUT_SESSIONS.collection, itself],
  [PAYMENT_LINKS.collection, itself],
  [LINK_PLACES.collection, itself],
  [CUSTOMERS.collection, itself],
  [STORED_METHODS.collection, itself],
  [PLANS.collection, itself],
  [SUBSCRIPTIONS.collection, itself],
  [CYCLES.collection, itself],
  [SUBSCRIPTION_REFERENCES.collection, itself],
  [REFERENCES_TAKEN.collection, itself],
  [REFUNDS.collection, itself],
  [CHARGEBACK_ALERTS.collection, itself],
  [MANUAL_REFUND_REQUESTS.collection, itself],
  [DISPUTES.collection, itself],
  [DISPUTE_DOCUMENTS.collection, itself],
  [PAYOUT_REQUESTS.collection, itself],
  [ADJUSTMENTS.collection, itself],
  [ANTICIPATIONS.collection, itself],
  [SUSPENSE_ITEMS.collection, itself],
  [STATEMENT_LINES.collection, itself],
  [WEBHOOK_ENDPOINTS.collection, itself],
  [SENT_EVENTS.collection, itself],
  [DELIVERIES.collection, itself],
  [REQUEST_LOG.collection, itself],
  [NOTES.collection, itself],
  [
    QUEUES.collection,
    ({ _id }) => ({ beside: { collection: WEBHOOK_ENDPOINTS.collection, id: String(_id) } }),
  ],
  [SUBMERCHANT_DOCUMENTS.collection, itself],
  [PROVIDER_NOTIFICATIONS.collection, itself],
  [JOURNALS, ofJournal],
  [BALANCES, ({ owner }) => ({ merchantId: String(owner).split(':')[0] as MerchantId })],
  [DOMAIN_EVENTS, dataOf],
  [AUDIT_LOG.collection, picturedIn],
]);

/** Collections whose documents are stored by tenant. Outbox rows that name no tenant are stored together. */
export const SPREAD_COLLECTIONS: readonly string[] = [...TENANT_COLLECTIONS.keys(), OUTBOX];
