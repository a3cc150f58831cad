import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { DomainEvent } from '../kernel/event.ts';

/** Metrics of this process, for Prometheus. Processes under one parent are added up, but for what all of them see. */
export type Metrics = ReturnType<typeof createMetrics>;

export const createMetrics = () => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    requests: new Histogram({
      name: 'portico_http_request_seconds',
      help: 'Duration of HTTP requests by route and status.',
      labelNames: ['method', 'path', 'status'] as const,
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    events: new Counter({
      name: 'portico_events_total',
      help: 'Domain events recorded by this process, by type: what its commands led to.',
      labelNames: ['type'] as const,
      registers,
    }),
    eventAmounts: new Counter({
      name: 'portico_event_amounts_total',
      help: 'Amounts above zero of these events in minor units, by type, currency and environment.',
      labelNames: ['type', 'currency', 'livemode'] as const,
      registers,
    }),
    connections: new Gauge({
      name: 'portico_mongodb_connections',
      help: 'Connections of this process to the write store: open ones, and those in use.',
      labelNames: ['state'] as const,
      registers,
    }),
    transactionRetries: new Counter({
      name: 'portico_transaction_retries_total',
      help: 'Transactions that ran again after a conflict or a lost connection.',
      registers,
    }),
    outboxLag: new Gauge({
      name: 'portico_outbox_lag_seconds',
      help: 'Age of the oldest outbox row that this process sees, by consumer.',
      labelNames: ['consumer'] as const,
      aggregator: 'max',
      registers,
    }),
    outboxDone: new Counter({
      name: 'portico_outbox_rows_done_total',
      help: 'Outbox rows worked off, by consumer.',
      labelNames: ['consumer'] as const,
      registers,
    }),
    outboxDead: new Gauge({
      name: 'portico_outbox_dead_rows',
      help: 'Dead-lettered outbox rows, by consumer.',
      labelNames: ['consumer'] as const,
      aggregator: 'max',
      registers,
    }),
    viewDocumentsCompared: new Counter({
      name: 'portico_view_documents_compared_total',
      help: 'Documents of views that were compared with the write store, by view.',
      labelNames: ['view'] as const,
      registers,
    }),
    viewDifferences: new Counter({
      name: 'portico_view_differences_total',
      help: 'Documents of views that differed from the write store, by view and outcome: repaired, failed.',
      labelNames: ['view', 'outcome'] as const,
      registers,
    }),
    ledgerDifferences: new Gauge({
      name: 'portico_ledger_differences',
      help: 'Differences between ledger and records that hold at the moment.',
      aggregator: 'max',
      registers,
    }),
    ledgerCheckedUpTo: new Gauge({
      name: 'portico_ledger_checked_timestamp_seconds',
      help: 'Everything that was committed before then has been checked, in Unix time.',
      aggregator: 'max',
      registers,
    }),
    ledgerFullCheckEndedAt: new Gauge({
      name: 'portico_ledger_full_check_finished_timestamp_seconds',
      help: 'When the last check of the whole ledger ended, in Unix time.',
      aggregator: 'max',
      registers,
    }),
    walletCertificatesExpiring: new Gauge({
      name: 'portico_wallet_certificates_expiring',
      help: "Merchants' wallet certificates that expire within 30 days or have expired.",
      aggregator: 'max',
      registers,
    }),
    walletCertificateExpiresAt: new Gauge({
      name: 'portico_wallet_certificate_expires_timestamp_seconds',
      help: "When the first merchant's wallet certificate, and when the last wallet root, expires, in Unix time.",
      labelNames: ['kind'] as const,
      aggregator: 'max',
      registers,
    }),
    payoutsWaiting: new Gauge({
      name: 'portico_payout_requests_waiting',
      help: 'Live payout requests by what they wait for: a decision, or the bank transfer.',
      labelNames: ['for'] as const,
      registers,
    }),
    webhookAttempts: new Counter({
      name: 'portico_webhook_attempts_total',
      help: 'Attempts to deliver webhooks by channel and outcome: delivered, retry, failed, unknown.',
      labelNames: ['channel', 'outcome'] as const,
      registers,
    }),
    providerCircuitOpen: new Gauge({
      name: 'portico_provider_circuit_open',
      help: 'Whether calls to a payment provider fail, so that it is left alone by this process: 1, else 0.',
      labelNames: ['provider'] as const,
      registers,
    }),
    providerCalls: new Histogram({
      name: 'portico_provider_call_seconds',
      help: 'Duration of calls to payment providers by provider, operation and outcome.',
      labelNames: ['provider', 'operation', 'outcome'] as const,
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
  };
};

/** Counts events that were committed, and the amounts of those that have one. */
export const countEvents = (
  { events, eventAmounts }: Pick<Metrics, 'events' | 'eventAmounts'>,
  committed: readonly Pick<DomainEvent, 'type' | 'data'>[],
): void => {
  for (const { type, data } of committed) {
    events.inc({ type });
    const { amount, currency, livemode } = data as {
      readonly amount?: unknown;
      readonly currency?: unknown;
      readonly livemode?: unknown;
    };
    if (typeof amount === 'number' && amount > 0 && typeof currency === 'string')
      eventAmounts.inc({ type, currency, livemode: String(livemode) }, amount);
  }
};
