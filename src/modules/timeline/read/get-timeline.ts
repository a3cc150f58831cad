import { GatewayError, notFound } from '../../../kernel/errors.ts';
import type { DomainEvent } from '../../../kernel/event.ts';
import type { MerchantId } from '../../../kernel/ids.ts';
import { toDecimal } from '../../../kernel/money.ts';
import {
  type MerchantPermission,
  mayRead,
  type OperatorPermission,
  type Principal,
  tenantOfCaller,
} from '../../../kernel/principal.ts';
import { type TenantId, tenantOf } from '../../../kernel/tenant.ts';
import { isReadStoreDown } from '../../../platform/read-store/elastic.ts';
import type { ReadView } from '../../../platform/read-store/read-view.ts';
import { scopeOf } from '../../../platform/read-store/scope.ts';
import type { Page } from '../../../platform/read-store/search.ts';
import type { Database } from '../../../platform/write-store/database.ts';
import type { FindById } from '../../../platform/write-store/read-resource.ts';
import { findOfTenants, ofTenant } from '../../../platform/write-store/spread.ts';
import { DOMAIN_EVENTS } from '../../../platform/write-store/write-set.ts';
import {
  CHARGEBACK_ALERTS,
  type FindAlertOf,
  MANUAL_REFUND_REQUESTS,
} from '../../chargebacks/write/chargebacks.store.ts';
import type { Charge } from '../../charges/write/charge.ts';
import { JOURNALS, type Journal } from '../../ledger/write/journal.ts';
import type { FindMerchants } from '../../merchants/write/find-merchants.store.ts';
import { findNotesOf } from '../../notes/read/find-notes-of.store.ts';
import { mayReadNote, type Note } from '../../notes/write/note.ts';
import type { ProviderCall, ProviderCalls } from '../../providers/provider-calls.store.ts';
import { REFUNDS } from '../../refunds/write/refund.store.ts';
import { DELIVERY_LIST } from '../../webhooks/read/list-deliveries.ts';
import { SENT_EVENTS } from '../../webhooks/write/sent-event.ts';

/** The number of latest deliveries that a timeline shows. */
const MAX_DELIVERIES = 100;

/** The permissions that some parts of a timeline need. All others need only the permission to read the charge. */
const PERMISSIONS = {
  journals: { merchant: 'statement.read', operator: 'admin.reports.read' },
  deliveries: { merchant: 'webhooks.manage', operator: 'admin.webhooks.read' },
} as const satisfies Readonly<
  Record<string, { readonly merchant: MerchantPermission; readonly operator: OperatorPermission }>
>;
type OptionalPart = keyof typeof PERMISSIONS;
export const OPTIONAL_PARTS = Object.keys(PERMISSIONS) as readonly OptionalPart[];
export const OMITTED_BECAUSE = ['permission_missing', 'unavailable'] as const;

type Entry = { readonly at: string; readonly kind: string };
type Omitted = { readonly part: OptionalPart; readonly reason: (typeof OMITTED_BECAUSE)[number] };

/** A page of everything that happened to a charge, oldest first, with the parts that this caller cannot see. */
export type Timeline = Page<Entry> & {
  readonly chargeId: string;
  readonly omitted: readonly Omitted[];
};

/** Reads the timeline of a charge; 404 for a charge that the caller may not read. */
export type GetTimeline = (
  principal: Principal,
  chargeId: string,
  asked: { readonly page: number; readonly size: number },
  consistencyToken: string | null,
) => Promise<Timeline>;

export const createGetTimeline =
  (deps: {
    readonly db: Database;
    readonly readView: ReadView;
    readonly findCharge: FindById<Charge>;
    readonly findAlertOf: FindAlertOf;
    readonly findMerchants: FindMerchants;
    readonly providerCalls: Pick<ProviderCalls, 'find'>;
  }): GetTimeline =>
  async (principal, chargeId, asked, consistencyToken) => {
    const charge = await deps.findCharge(chargeId, tenantOfCaller(principal));
    if (!charge || !mayRead(principal, charge)) throw notFound('Charge');
    const tenantId = tenantOf(charge);
    const refundIds = await idsIn(deps.db, REFUNDS.collection, { chargeId }, tenantId);
    const alert = await deps.findAlertOf(charge.id, tenantId);
    const requestIds = alert
      ? await idsIn(deps.db, MANUAL_REFUND_REQUESTS.collection, { chargebackAlertId: alert.id }, tenantId)
      : [];
    const subjects = [chargeId, ...refundIds, ...(alert ? [alert.id] : []), ...requestIds];
    const omitted: Omitted[] = [];
    const part = async (name: OptionalPart, read: () => Promise<readonly Entry[]>) => {
      if (!holds(principal, name)) {
        omitted.push({ part: name, reason: 'permission_missing' });
        return [];
      }
      return read().catch((error: unknown) => {
        if (!isUnavailable(error)) throw error;
        omitted.push({ part: name, reason: 'unavailable' });
        return [];
      });
    };
    const parts = await Promise.all([
      readEvents(deps.db, principal, subjects, tenantId),
      deps.providerCalls.find([chargeId, ...refundIds]).then((calls) => calls.map(presentCall)),
      findNotesOf(deps.db, charge.id, tenantId, principal.kind === 'merchant' ? 'merchant' : null).then(
        (notes) => notes.filter((note) => mayReadNote(principal, note)).map(presentNote),
      ),
      part('journals', () => readJournals(deps, principal, charge)),
      part('deliveries', () =>
        readDeliveries(deps, principal, [chargeId, ...refundIds], tenantId, consistencyToken),
      ),
    ]);
    const entries = parts.flat().sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
    return { chargeId, ...pageOf(entries, asked), omitted };
  };

const pageOf = <T>(
  all: readonly T[],
  { page, size }: { readonly page: number; readonly size: number },
): Page<T> => ({
  data: all.slice((page - 1) * size, page * size),
  page,
  pages: Math.ceil(all.length / size),
  total: all.length,
  size,
});

const holds = (principal: Principal, part: OptionalPart): boolean => {
  const held: readonly string[] = principal.permissions;
  return held.includes(PERMISSIONS[part][principal.kind]);
};

/**
 * Whether the read store is down. Deliveries come from a view; without them the rest of the timeline is still useful.
 */
const isUnavailable = (error: unknown): boolean =>
  isReadStoreDown(error) || (error instanceof GatewayError && error.statusCode === 503);

const idsIn = async (
  db: Database,
  collection: string,
  filter: Readonly<Record<string, string>>,
  tenantId: TenantId,
): Promise<readonly string[]> => {
  const found = await db
    .collection<{ _id: string }>(collection)
    .find({ ...filter, ...ofTenant(db, collection, tenantId) }, { projection: { _id: 1 } })
    .toArray();
  return found.map(({ _id }) => _id);
};

/** Only the members of an event that are shown, because the resource in it may be large. */
const SHOWN = {
  ...{ _id: 0, id: 1, type: 1, resource: 1, resourceId: 1, version: 1, at: 1, actor: 1, requestId: 1 },
  ...{ 'data.status': 1, 'data.failureReason': 1, 'data.reason': 1 },
  ...{ 'data.refund.status': 1, 'data.refund.reason': 1 },
} as const;

/** Members that show the state of a resource. */
type Told = {
  readonly status?: string;
  readonly failureReason?: string | null;
  readonly reason?: string | null;
  readonly refund?: { readonly status: string; readonly reason: string | null };
};

type ShownEvent = Omit<DomainEvent, 'data'> & { readonly data: Told };

const RESOURCES: readonly string[] = ['charge', REFUNDS, CHARGEBACK_ALERTS, MANUAL_REFUND_REQUESTS].map(
  (one) => (typeof one === 'string' ? one : one.resource),
);

const readEvents = async (
  db: Database,
  principal: Principal,
  subjects: readonly string[],
  tenantId: TenantId,
): Promise<readonly Entry[]> => {
  const wanted = subjects.map((value) => ({ value, tenantId }));
  const found = await findOfTenants<ShownEvent>(db, DOMAIN_EVENTS, 'resourceId', wanted, {
    projection: SHOWN,
  });
  return found
    .filter(({ resource }) => RESOURCES.includes(resource))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map((event) => presentDomainEvent(event, principal));
};

const presentDomainEvent = (event: ShownEvent, principal: Principal) => {
  const { id, at, type, resource, resourceId, version, actor, requestId, data: told } = event;
  // A merchant does not get the names of people who work for the gateway.
  const isHidden = actor.kind === 'operator' && principal.kind === 'merchant';
  return {
    kind: 'event' as const,
    at,
    id,
    type,
    resource,
    resourceId,
    version,
    status: told.refund?.status ?? told.status ?? null,
    reason: (resource === 'charge' ? told.failureReason : (told.refund?.reason ?? told.reason)) ?? null,
    actor: { kind: actor.kind, id: isHidden ? null : actor.id },
    requestId,
  };
};

const presentCall = (call: ProviderCall) => ({ kind: 'provider_call' as const, ...call });

const presentNote = ({ id, createdAt, text, author, audience }: Note) => ({
  kind: 'note' as const,
  at: createdAt,
  id,
  text: text ?? '',
  author,
  audience,
});

/** Says whether the caller sees an account: an operator sees all, a merchant its own and its sub-merchants'. */
const visibleAccounts = async (
  principal: Principal,
  named: readonly MerchantId[],
  findMerchants: FindMerchants,
): Promise<(merchantId: MerchantId | null) => boolean> => {
  if (principal.kind === 'operator') return () => true;
  const others = named.filter((id) => id !== principal.merchantId);
  const merchants = others.length > 0 ? await findMerchants(others) : [];
  const own = new Set([
    principal.merchantId,
    ...merchants.filter(({ masterId }) => masterId === principal.merchantId).map(({ id }) => id),
  ]);
  return (merchantId) => merchantId !== null && own.has(merchantId);
};

const readJournals = async (
  deps: { readonly db: Database; readonly findMerchants: FindMerchants },
  principal: Principal,
  charge: Charge,
): Promise<readonly Entry[]> => {
  const journals = await deps.db
    .collection<Journal>(JOURNALS)
    .find({ chargeId: charge.id, ...ofTenant(deps.db, JOURNALS, tenantOf(charge)) })
    .toArray();
  const named = journals.flatMap(({ postings }) => postings.flatMap(({ merchantId }) => merchantId ?? []));
  const isVisible = await visibleAccounts(principal, [...new Set(named)], deps.findMerchants);
  return journals
    .sort((a, b) => (a._id < b._id ? -1 : 1))
    .map(({ _id, createdAt, currency, referenceType, referenceId, postings }) => ({
      kind: 'journal' as const,
      at: createdAt,
      id: _id,
      referenceType,
      referenceId,
      currency,
      entries: postings
        .filter(({ merchantId }) => isVisible(merchantId))
        .map(({ id, merchantId, bucket, movement_type, amount }) => ({
          id,
          merchantId,
          bucket,
          movement_type,
          amount: toDecimal(amount, currency),
        })),
    }))
    .filter(({ entries }) => entries.length > 0);
};

const readDeliveries = async (
  deps: { readonly db: Database; readonly readView: ReadView },
  principal: Principal,
  resourceIds: readonly string[],
  tenantId: TenantId,
  consistencyToken: string | null,
): Promise<readonly Entry[]> => {
  const wanted = resourceIds.map((value) => ({ value, tenantId }));
  const { collection } = SENT_EVENTS;
  const sent = await findOfTenants<{ readonly _id: string }>(deps.db, collection, 'resourceId', wanted, {
    projection: { _id: 1 },
  });
  if (sent.length === 0) return [];
  const scope = [...scopeOf(principal), { terms: { eventId: sent.map(({ _id }) => _id) } }];
  const query = { page: 1, size: MAX_DELIVERIES };
  const { data } = await deps.readView.search(DELIVERY_LIST.search, scope, query, consistencyToken);
  return data.map(({ id, createdAt, eventId, event, channel, url, status, attempts }) => ({
    kind: 'delivery' as const,
    at: createdAt,
    id,
    eventId,
    event,
    channel,
    url,
    status,
    attempts: attempts.length,
    statusCode: attempts.at(-1)?.statusCode ?? null,
  }));
};
