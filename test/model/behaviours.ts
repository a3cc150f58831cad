import { readFileSync } from 'node:fs';
import type { DomainEvent } from '../../src/kernel/event.ts';
import type { ChargebackAlert } from '../../src/modules/chargebacks/write/alert.ts';
import type { ManualRefundRequest } from '../../src/modules/chargebacks/write/manual-refund-request.ts';
import { CANCELLED, type Charge, EXPIRED } from '../../src/modules/charges/write/charge.ts';
import type { Refund } from '../../src/modules/refunds/write/refund.ts';

/** A charge as the model sees it: `Charge` of `gateway.qnt`. */
export type ModelCharge = {
  readonly status: string;
  readonly refund: string;
  readonly alert: boolean;
  readonly settled: number;
  readonly manual: string;
};

export const NEW: ModelCharge = { status: 'none', refund: 'none', alert: false, settled: 0, manual: 'none' };

/** A commit of the model: from one charge, by these events, to another. */
export type ModelStep = {
  readonly before: ModelCharge;
  readonly events: readonly string[];
  readonly after: ModelCharge;
};

/** The records that a charge of the model stands for. */
type Records = {
  readonly charge: Charge | null;
  /** The refund that the charge names. */
  readonly refund: Refund | null;
  readonly alert: ChargebackAlert | null;
  readonly manual: ManualRefundRequest | null;
};

const WAITING = ['in_analysis', 'authentication_required'];

const statusOf = ({ status, failureReason, instructions }: Charge): string => {
  if (WAITING.includes(status) || (status === 'pending' && instructions !== null)) return 'waiting';
  if (status === 'failed' && (failureReason === EXPIRED || failureReason === CANCELLED)) return 'over';
  return status;
};

const refundStatusOf = (refund: Refund | null): string => {
  if (!refund) return 'none';
  if (refund.status !== 'pending') return refund.status;
  // The refund of an alert is booked before the provider has accepted it.
  return refund.booked && (refund.alertId === null || refund.pspRefundRefId !== null) ? 'accepted' : 'opened';
};

/** No part, all parts, or some of them: the model has two. */
const settledOf = ({ settlement: { parts, settled, anticipated = [] } }: Charge): number => {
  if (settled === parts) return 2;
  return settled > 0 || anticipated.length > 0 ? 1 : 0;
};

export const modelChargeOf = ({ charge, refund, alert, manual }: Records): ModelCharge =>
  charge
    ? {
        status: statusOf(charge),
        refund: refundStatusOf(refund),
        alert: alert !== null,
        settled: settledOf(charge),
        manual: manual ? (manual.status === 'pending' ? 'open' : 'resolved') : 'none',
      }
    : NEW;

/** The whole relation of the model, one step in a line, as `make model WRITE=1` takes it from there. */
export const RELATION = 'test/model/relation.jsonl';

const readRelation = (): readonly ModelStep[] =>
  readFileSync(RELATION, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

const keyOf = ({ status, refund, alert, settled, manual }: ModelCharge): string =>
  [status, refund, alert, settled, manual].join();

export const stepKey = ({ before, events, after }: ModelStep): string =>
  `${keyOf(before)} by ${[...new Set(events)].sort().join(' + ')} to ${keyOf(after)}`;

/** Events that change nothing which the model knows. */
const IGNORED = ['charge.customer_erased', 'charge.provider_changed', 'refund.chargeback_reported'];

/** Events of one charge that were stored together. */
type Commit = { readonly at: string; readonly events: readonly DomainEvent[] };

/** The instant of the decision, which one command takes for all that it decides on. */
const decidedAt = ({ at, data }: DomainEvent): string => {
  const {
    resolved_at: resolvedAt = null,
    updatedAt = null,
    createdAt = null,
  }: Readonly<Record<string, unknown>> = {
    ...data,
  };
  return String(resolvedAt ?? updatedAt ?? createdAt ?? at);
};

const RESOURCES = ['charge', 'refund', 'chargeback_alert', 'manual_refund_request'];

/** The charge that an event is about. */
export const chargeIdOf = ({ resource, resourceId, data }: DomainEvent): string =>
  resource === 'charge' || !('chargeId' in data) ? resourceId : String(data.chargeId);

/** The commits of each charge. */
const commitsByCharge = (events: readonly DomainEvent[]): ReadonlyMap<string, Commit[]> => {
  const commits = new Map<string, Map<string, DomainEvent[]>>();
  for (const event of events.filter(({ resource }) => RESOURCES.includes(resource))) {
    const ofCharge = commits.get(chargeIdOf(event)) ?? new Map<string, DomainEvent[]>();
    commits.set(chargeIdOf(event), ofCharge);
    // An intent is stored alone, and its outcome may be decided in the same millisecond.
    const part = event.type === 'charge.created' ? 'intent' : 'outcome';
    const name = `${decidedAt(event)} ${event.requestId} ${part}`;
    ofCharge.set(name, [...(ofCharge.get(name) ?? []), event]);
  }
  return new Map(
    [...commits].map(([id, ofCharge]) => [
      id,
      [...ofCharge.values()].map((own) => ({
        at: own[0]?.at ?? '',
        events: own.sort((a, b) => a.version - b.version),
      })),
    ]),
  );
};

/** A charge and all that belongs to it, as far as its commits have been read. */
const createKnown = () => {
  const records = new Map<string, DomainEvent>();
  const known = <T>(resource: string): T[] =>
    [...records.values()].filter((event) => event.resource === resource).map(({ data }) => data as T);
  return {
    /** Whether all that the commit changes is as it was before it. */
    comesNext: ({ events }: Commit): boolean =>
      events.every(
        ({ resourceId, version }) =>
          (records.get(resourceId)?.version ?? 0) === version - 1 ||
          events.some((other) => other.resourceId === resourceId && other.version === version - 1),
      ),
    add: ({ events }: Commit): void => {
      for (const event of events) records.set(event.resourceId, event);
    },
    charge(): ModelCharge {
      const [charge] = known<Charge>('charge');
      return modelChargeOf({
        charge: charge ?? null,
        refund: known<Refund>('refund').find(({ id }) => id === charge?.refundId) ?? null,
        alert: known<ChargebackAlert>('chargeback_alert')[0] ?? null,
        manual: known<ManualRefundRequest>('manual_refund_request')[0] ?? null,
      });
    },
  };
};

/** Events that lead from one kind of waiting to another: the model has one, whomever a charge waits for. */
const WAITS_ELSEWHERE = ['charge.authentication_required', 'charge.in_analysis'];

/**
 * Whether nothing changes that the model knows: a provider was only asked if a live refund still stands, and the model
 * has no live keys; or a payment waits for somebody else.
 */
const isOfNoMatter = ({ before, events, after }: ModelStep): boolean => {
  if (keyOf(before) !== keyOf(after)) return false;
  if (before.refund === 'refunded') return events.every((type) => type === 'refund.asked');
  return before.status === 'waiting' && events.every((type) => WAITS_ELSEWHERE.includes(type));
};

/** The first step of a charge that the model does not know. */
const misbehaviourOf = (
  id: string,
  commits: readonly Commit[],
  isKnown: (step: ModelStep) => boolean,
): string | null => {
  const left = [...commits].sort((a, b) => (a.at < b.at ? -1 : 1));
  const known = createKnown();
  while (left.length > 0) {
    // Versions say in which order commits were made; those that share no record have none.
    const place = left.findIndex(known.comesNext);
    const [commit] = left.splice(place, 1);
    if (place < 0 || !commit) return `${id}: an event is missing`;
    const before = known.charge();
    known.add(commit);
    const events = commit.events.map(({ type }) => type).filter((type) => !IGNORED.includes(type));
    const step = { before, events, after: known.charge() };
    if (events.length > 0 && !isOfNoMatter(step) && !isKnown(step))
      return `${id}: the model does not know ${stepKey(step)}`;
  }
  return null;
};

/** The charge of an attempt to collect a cycle by card, from its first event to its outcome. */
type Attempted = { readonly id: string; readonly from: string; to: string | null; isPaid: boolean };

const isOpenCharge = ({ status }: Charge): boolean => status === 'pending' || WAITING.includes(status);

/** The attempts of each cycle, in their order. On pages, a customer may try several times at once. */
const attemptsByCycle = (events: readonly DomainEvent[]): ReadonlyMap<string, Attempted[]> => {
  const cycles = new Map<string, Attempted[]>();
  for (const { resource, resourceId: id, at, data } of events) {
    if (resource !== 'charge') continue;
    const charge = data as Charge;
    if (!charge.cycle || charge.checkoutSessionId || charge.paymentMethod.type !== 'credit_card') continue;
    const name = `cycle ${charge.cycle.number} of ${charge.cycle.subscriptionId}`;
    const attempts = cycles.get(name) ?? [];
    cycles.set(name, attempts);
    const attempt = attempts.find((one) => one.id === id) ?? { id, from: at, to: null, isPaid: false };
    if (!attempts.includes(attempt)) attempts.push(attempt);
    if (!isOpenCharge(charge)) attempt.to ??= at;
    attempt.isPaid ||= charge.paidAt !== null;
  }
  return cycles;
};

/** Attempts that began before the one before them had ended, or after one that had paid. */
const misbehaviourOfCycles = (events: readonly DomainEvent[]): readonly string[] => {
  const inOrder = [...events].sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)));
  return [...attemptsByCycle(inOrder)].flatMap(([name, attempts]) =>
    attempts.slice(1).flatMap(({ id, from }, place) => {
      const before = attempts[place];
      if (before && before.to !== null && before.to <= from && !before.isPaid) return [];
      return [`${name}: ${id} began although ${before?.id} is open or paid`];
    }),
  );
};

/** Steps that were recorded and that the model does not know, one sentence for each charge and each cycle. */
export const findMisbehaviour = (
  events: readonly DomainEvent[],
  relation: readonly ModelStep[] = readRelation(),
): readonly string[] => {
  const keys = new Set(relation.map(stepKey));
  const ofCharges = [...commitsByCharge(events)].flatMap(
    ([id, commits]) => misbehaviourOf(id, commits, (step) => keys.has(stepKey(step))) ?? [],
  );
  return [...ofCharges, ...misbehaviourOfCycles(events)];
};
