import type { Clock } from '../../../kernel/clock.ts';
import { systemContext } from '../../../kernel/event.ts';
import type { MerchantId, NewId } from '../../../kernel/ids.ts';
import { type TenantId, tenantOf } from '../../../kernel/tenant.ts';
import type { NoteRequest } from '../../../platform/http/ended-request.ts';
import type { Logger } from '../../../platform/logger.ts';
import { viewConsumerName } from '../../../platform/read-store/projector.ts';
import { inParts } from '../../../platform/write-store/mongo.ts';
import type { Transact } from '../../../platform/write-store/transaction.ts';
import { hasFailed, isLogged, type LoggedRequest, loggedRequest, REQUEST_LOG } from './logged-request.ts';

export const REQUEST_LOG_VIEW = 'request-log';

const WRITTEN_WITHIN_MS = 1_000;
/** Requests that a process stores each second: of one merchant, and of all. */
const OF_MERCHANT = 50;
const OF_ALL = 500;
/** Requests that wait for a write, such as while the store is slow; more are kept only for merchants that have none. */
const WAITING_AT_MOST = 2 * OF_ALL;

/** The requests of one merchant since the last write. */
type Waiting = { readonly failed: LoggedRequest[]; readonly successful: LoggedRequest[] };

type KeepRequests = {
  readonly note: NoteRequest;
  /** Stores what waits; called when the process ends. */
  flush(): Promise<void>;
};

/** Keeps nothing, where the request log is switched off. */
export const KEEP_NO_REQUESTS: KeepRequests = { note: () => undefined, flush: async () => undefined };

/**
 * Keeps requests in memory and stores them once a second in the commits that payments share, so that no request waits
 * for its entry. Where there are more than a process stores, failed requests come first, and no merchant takes the
 * places of another. A process that is killed takes the requests of its last second with it.
 */
export const createKeepRequests = (deps: {
  readonly transact: Transact;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly random: () => number;
  readonly logger: Logger;
  /** The share of successful requests that is kept, from 0 to 1. */
  readonly share: number;
}): KeepRequests => {
  let waiting = new Map<MerchantId, Waiting>();
  let count = 0;
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();

  const store = async (tenantId: TenantId, entries: readonly LoggedRequest[]): Promise<void> => {
    try {
      await deps.transact(systemContext('request log', tenantId), async (tx) => {
        for (const entry of entries) {
          await tx.insert(REQUEST_LOG.collection, { ...entry, _id: entry.id });
          tx.enqueue(viewConsumerName(REQUEST_LOG_VIEW), entry.id);
        }
      });
    } catch (error) {
      deps.logger.warn({ err: error, requests: entries.length }, 'requests were not logged');
    }
  };

  const write = async (): Promise<void> => {
    const batch = chosen([...waiting.values()]);
    waiting = new Map();
    count = 0;
    const byTenant = new Map<TenantId, LoggedRequest[]>();
    for (const entry of batch) {
      const ofTenant = byTenant.get(tenantOf(entry));
      if (ofTenant) ofTenant.push(entry);
      else byTenant.set(tenantOf(entry), [entry]);
    }
    // One after the other and in small parts, because payments wait in the same queue.
    for (const [tenantId, entries] of byTenant)
      for (const part of inParts(entries)) await store(tenantId, part);
  };

  /** One write at a time: while the store is slow, requests gather up to the limits. */
  const flush = (): Promise<void> => {
    if (timer) clearTimeout(timer);
    timer = null;
    writing = writing.then(write);
    return writing;
  };

  return {
    flush,
    note(ended) {
      const { principal } = ended;
      if (!isLogged(principal)) return;
      const failed = hasFailed(ended);
      if (!failed && deps.random() >= deps.share) return;
      const known = waiting.get(principal.merchantId);
      if (!known && waiting.size >= OF_ALL) return;
      const own = known ?? { failed: [], successful: [] };
      const list = failed ? own.failed : own.successful;
      // A merchant that has none yet gets a place, however many others wait.
      if (list.length >= OF_MERCHANT || (list.length > 0 && count >= WAITING_AT_MOST)) return;
      if (!known) waiting.set(principal.merchantId, own);
      list.push(loggedRequest(ended, principal, deps.newId('rql'), deps.clock()));
      count += 1;
      timer ??= setTimeout(() => void flush(), WRITTEN_WITHIN_MS).unref();
    },
  };
};

/** The requests that are stored: failed ones first, and of each merchant no more than its share. */
const chosen = (all: readonly Waiting[]): readonly LoggedRequest[] => {
  const failed = inTurns(all.map((own) => own.failed));
  const successful = inTurns(all.map((own) => own.successful.slice(0, OF_MERCHANT - own.failed.length)));
  return [...failed, ...successful].slice(0, OF_ALL);
};

/** The first of each list, then the second of each, and so on. */
const inTurns = <T>(lists: readonly (readonly T[])[]): readonly T[] =>
  Array.from({ length: OF_MERCHANT }, (_, place) =>
    lists.flatMap((list) => list.slice(place, place + 1)),
  ).flat();
