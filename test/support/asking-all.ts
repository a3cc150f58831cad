/**
 * Statements that search every shard of a cluster, because the tenant is unknown. Any other statement on a collection
 * of `SPREAD_COLLECTIONS` names its tenant, which the tests verify for all statements.
 */
type AskingAll = {
  readonly reason: string;
  readonly rate: string;
  /** `collection: fields that it selects by`, in alphabetical order; `any` stands for every collection. */
  readonly statements: readonly string[];
};

export const ASKING_ALL: readonly AskingAll[] = [
  {
    reason: 'An operator, the ledger check or the drift detector knows the id of a record',
    rate: 'one to three for a request of an operator; one for fifty ids of a check',
    statements: [
      'adjustments: _id',
      'anticipations: _id',
      'card_tokens: _id',
      'checkout_sessions: _id',
      'charges: _id',
      'customers: _id',
      'chargeback_alerts: _id',
      'disputes: _id',
      'dispute_documents: _id',
      'manual_refund_requests: _id',
      'notes: _id',
      'payment_methods: _id',
      'payment_links: _id',
      'payment_link_places: _id',
      'payout_requests: _id',
      'plans: _id',
      'provider_notifications: _id',
      'refunds: _id',
      'request_log: _id',
      'statement_lines: _id',
      'submerchant_documents: _id',
      'subscriptions: _id',
      'subscription_portals: _id',
      'subscription_cycles: _id',
      'suspense_items: _id',
      'webhook_deliveries: _id',
      'webhook_endpoints: _id',
      'webhook_events: _id',
    ],
  },
  {
    reason:
      'The ledger check or the drift detector knows ids, or entries of the audit log are given places in its chain',
    rate: 'one for fifty ids',
    statements: ['audit_log: _id', 'balances: _id', 'domain_events: _id', 'journals: _id'],
  },
  {
    reason: 'A record that names a merchant but not its master is changed, mostly by an operator',
    rate: 'one for each change',
    statements: [
      'adjustments: _id, version',
      'audit_log: _id, version',
      'chargeback_alerts: _id, version',
      'manual_refund_requests: _id, version',
      'submerchant_documents: _id, version',
      'suspense_items: _id, version',
    ],
  },
  {
    reason: 'A worker looks for due work, whoever owns it',
    rate: 'one a second and worker; settlement one a minute',
    statements: [
      'charges: provider, reconcileAt',
      'charges: reconcileAt',
      'refunds: reconcileAt',
      'suspense_items: reconcileAt',
      'charges: due.nextAt, refundId, status',
      'webhook_deliveries: dueAt',
      'submerchant_documents: removedAt, scan.status',
      'dispute_documents: removedAt, scan.status',
      'disputes: reconcileAt',
      'payment_methods: reconcileAt',
      'subscriptions: reconcileAt',
      'checkout_sessions: reconcileAt',
      'payment_links: reconcileAt',
    ],
  },
  {
    reason: 'A worker looks for due work of one environment, with a test clock; never in production',
    rate: 'two a second and worker; some ten for each step of the clock',
    statements: [
      'charges: livemode, reconcileAt',
      'refunds: livemode, reconcileAt',
      'suspense_items: livemode, reconcileAt',
      'charges: due.nextAt, livemode, refundId, status',
      'webhook_deliveries: dueAt, livemode',
      'webhook_deliveries: begunAt, dueAt, livemode',
      'disputes: livemode, reconcileAt',
      'payment_methods: livemode, reconcileAt',
      'subscriptions: livemode, reconcileAt',
      'checkout_sessions: livemode, reconcileAt',
      'payment_links: livemode, reconcileAt',
    ],
  },
  {
    reason: 'A worker looks for old records of one environment, with a test clock; never in production',
    rate: 'ten in an hour; eight for each step of the clock',
    statements: [
      'any: createdAt, livemode',
      'any: _id, livemode',
      'checkout_sessions: chargeIds, consent, createdAt, livemode, paymentLinkId, status',
      'checkout_sessions: _id, chargeIds, consent, livemode, paymentLinkId, status',
      'webhook_deliveries: livemode',
      'webhook_deliveries: dueAt, livemode, updatedAt',
      'domain_events: at, data.livemode, resource',
      'domain_events: $or, _id',
      'dispute_documents: livemode, removedAt',
    ],
  },
  {
    reason:
      'A worker looks for rows of the outbox in its shards, whoever owns them, and for those left behind',
    rate: 'three a second and idle worker; some twenty under load, each of them for up to 100 rows',
    statements: [
      'outbox: consumer, shard, state',
      'outbox: consumer, state',
      'outbox: retryAt, state',
      'outbox: heldBy, state',
      'outbox: state',
      'outbox: createdAt',
    ],
  },
  {
    reason:
      'A list waits for the writes before it; the ledger check skips records whose work is still to be done',
    rate: 'some for each list with a consistency token; one for fifty ids of a check',
    statements: ['outbox: commit, consumer', 'outbox: consumer', 'outbox: consumer, subject'],
  },
  {
    reason: 'A payer opens the page of a checkout session or payment link by the secret in its address',
    rate: 'one or two for each look',
    statements: ['checkout_sessions: token', 'payment_links: token'],
  },
  {
    reason: 'A worker finds out which merchant a queue of postbacks belongs to',
    rate: 'one for each queue and worker process',
    statements: ['webhook_deliveries: dueAt, queue'],
  },
  {
    reason: 'The ledger check checks changed records, fifty at a time',
    rate: "ten for fifty records, taking a tenth of a worker's time under load",
    statements: [
      'journals: chargeId',
      'journals: referenceId',
      'statement_lines: journalId',
      'statement_lines: chain, seq',
      'balances: owner',
      'chargeback_alerts: chargeId',
    ],
  },
  {
    reason: 'A test helper runs settlements in the test environment',
    rate: 'one to three for each call',
    statements: [
      'charges: due.nextAt, livemode, merchantId, refundId, status',
      'charges: due.nextAt, livemode, masterId, refundId, status',
    ],
  },
  {
    reason: 'A provider reports a return by its reference; a report lists suspense items',
    rate: 'one for each',
    statements: ['suspense_items: returnReference', 'suspense_items: status'],
  },
  {
    reason: 'An operator erases a customer; the chain of the audit log is checked',
    rate: 'about ten for each',
    statements: [
      'domain_events: resource, resourceId',
      'audit_log: resource, resourceId',
      'audit_log: resourceId, type',
      'webhook_events: resourceId',
      'dispute_documents: disputeId',
    ],
  },
  {
    reason:
      'A whole collection is read: for a view, drift, the ledger check, retention, new keys, a migration',
    rate: 'one for each batch of a scan',
    statements: [
      'any: ',
      'any: tenantId',
      'any: _id, tenantId',
      'charges: status',
      'webhook_deliveries: _id, version',
      'checkout_sessions: _id, chargeIds, consent, paymentLinkId, status',
      'submerchant_documents: removedAt',
      'submerchant_documents: scan',
      'submerchant_documents: _id, secret.fileId',
      'dispute_documents: removedAt',
      'dispute_documents: _id, secret.fileId',
      'suspense_items: clearing',
      'payout_requests: transferStatus',
      'suspense_items: accountOwnerId',
      'refunds: alertId, merchantReason',
      'domain_events: data.alertId, resource',
    ],
  },
];

const LISTED: ReadonlySet<string> = new Set(ASKING_ALL.flatMap(({ statements }) => statements));

/** Whether a statement, written as in the list, may ask every shard. */
export const mayAskAll = (statement: string): boolean =>
  LISTED.has(statement) || LISTED.has(statement.replace(/^[^:]*/, 'any'));

/** The list as a Markdown table. */
export const tableOfAskingAll = (): string =>
  [
    '| Why every shard is asked | How often | Collection and fields |',
    '|---|---|---|',
    ...ASKING_ALL.map(
      ({ reason, rate, statements }) =>
        `| ${reason} | ${rate} | ${statements.map((one) => `\`${one.replace(/: $/, '')}\``).join(', ')} |`,
    ),
  ].join('\n');
