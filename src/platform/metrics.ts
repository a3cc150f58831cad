import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { DomainEvent } from '../kernel/event.ts';

/**
 * Metrics of this process for Prometheus. The parent of several processes adds them up, except for gauges that all of
 * them share.
 */
export type Metrics = ReturnType<typeof createMetrics>;

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a list of metrics
export const createMetrics = () => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const counter = <L extends string = never>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Counter({ name, help, labelNames, registers });
  const gauge = <L extends string = never>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Gauge({ name, help, labelNames, registers });
  /** A gauge of something that every process sees: under one parent the highest value counts instead of the sum. */
  const highest = <L extends string = never>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Gauge({ name, help, labelNames, registers, aggregator: 'max' });
  const duration = <L extends string>(
    name: string,
    help: string,
    labelNames: readonly L[],
    buckets: number[],
  ) => new Histogram({ name, help, labelNames, buckets, registers });
  return {
    registry,
    requests: duration(
      'portico_http_request_seconds',
      'Duration of HTTP requests by route and status; `aborted` where the client gave up before the answer.',
      ['method', 'path', 'status'],
      [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    ),
    events: counter(
      'portico_events_total',
      'Domain events recorded by this process, by type: what its commands led to.',
      ['type'],
    ),
    eventAmounts: counter(
      'portico_event_amounts_total',
      'Amounts above zero of these events in minor units, by type, currency and environment.',
      ['type', 'currency', 'livemode'],
    ),
    connections: gauge(
      'portico_mongodb_connections',
      'Connections of this process to the write store: open ones, and those in use.',
      ['state'],
    ),
    cardTokenProofs: counter(
      'portico_card_token_proofs_total',
      'Proofs of work that card tokens of public keys cost: `demanded` where none came along, and `solved`.',
      ['outcome'],
    ),
    postponedCycles: counter(
      'portico_postponed_cycles_total',
      'Cycles of subscriptions that were due and could not be charged by a fault of the gateway or its settings, by code.',
      ['reason'],
    ),
    transactionRetries: counter(
      'portico_transaction_retries_total',
      'Transactions that ran again after a conflict or a lost connection.',
    ),
    outboxLag: highest(
      'portico_outbox_lag_seconds',
      'Age of the oldest outbox row that this process sees, by consumer.',
      ['consumer'],
    ),
    outboxDone: counter('portico_outbox_rows_done_total', 'Outbox rows worked off, by consumer.', [
      'consumer',
    ]),
    outboxDead: highest('portico_outbox_dead_rows', 'Dead-lettered outbox rows, by consumer.', ['consumer']),
    viewDocumentsCompared: counter(
      'portico_view_documents_compared_total',
      'Documents of views that were compared with the write store, by view.',
      ['view'],
    ),
    viewDifferences: counter(
      'portico_view_differences_total',
      'Documents of views that differed from the write store, by view and outcome: repaired, failed.',
      ['view', 'outcome'],
    ),
    ledgerDifferences: highest(
      'portico_ledger_differences',
      'Differences between ledger and records that hold at the moment.',
    ),
    ledgerCheckedUpTo: highest(
      'portico_ledger_checked_timestamp_seconds',
      'Everything that was committed before then has been checked, in Unix time.',
    ),
    ledgerFullCheckEndedAt: highest(
      'portico_ledger_full_check_finished_timestamp_seconds',
      'When the last check of the whole ledger ended, in Unix time.',
    ),
    walletCertificatesExpiring: highest(
      'portico_wallet_certificates_expiring',
      "Merchants' wallet certificates that expire within 30 days or have expired.",
    ),
    walletCertificateExpiresAt: highest(
      'portico_wallet_certificate_expires_timestamp_seconds',
      "When the first merchant's wallet certificate, and when the last wallet root, expires, in Unix time.",
      ['kind'],
    ),
    backupFinishedAt: highest(
      'portico_backup_finished_timestamp_seconds',
      'When the last backup by make backup ended, in Unix time; 0 before the first one.',
    ),
    storeDegraded: highest(
      'portico_store_degraded',
      'Whether a store cannot be read (MongoDB), searched (Elasticsearch) or asked (Redis): 1, else 0.',
      ['store'],
    ),
    clockJumps: counter(
      'portico_clock_jumps_total',
      "Jumps that were refused of the machine's clock, or of the write store's.",
      ['of'],
    ),
    clockDifference: highest(
      'portico_clock_difference_seconds',
      "Seconds between the machine's clock and the write store's, which counts.",
    ),
    payoutsWaiting: gauge(
      'portico_payout_requests_waiting',
      'Live payout requests by what they wait for: a decision, or the bank transfer.',
      ['for'],
    ),
    mandates: gauge('portico_mandates', 'Live mandates of Pix Automático by status.', ['status']),
    plannedCharges: gauge(
      'portico_planned_charges',
      "Live charges under mandates that wait for the payer's bank, and how many of them have waited for too long.",
      ['state'],
    ),
    webhookAttempts: counter(
      'portico_webhook_attempts_total',
      'Attempts to deliver webhooks by channel and outcome: delivered, retry, failed, unknown.',
      ['channel', 'outcome'],
    ),
    providerCertificateEnds: new Gauge({
      name: 'portico_provider_certificate_expires_timestamp_seconds',
      help: 'When the first client certificate that this process shows to a provider expires, by provider.',
      labelNames: ['provider'] as const,
      registers,
      aggregator: 'min',
    }),
    providerCircuitOpen: gauge(
      'portico_provider_circuit_open',
      'Whether calls to a payment provider fail, so that it is left alone by this process: 1, else 0.',
      ['provider'],
    ),
    providerCalls: duration(
      'portico_provider_call_seconds',
      'Duration of calls to payment providers by provider, operation and outcome.',
      ['provider', 'operation', 'outcome'],
      [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    ),
  };
};

/** Counts committed events, and the amounts of those that have one. */
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
