import type { Clock } from '../../kernel/clock.ts';
import type { DomainEvent } from '../../kernel/event.ts';
import type { TenantId } from '../../kernel/tenant.ts';
import type { Database } from './database.ts';
import { type OutboxRow, subjectsOf } from './outbox.ts';
import { findOfTenants } from './spread.ts';
import { DOMAIN_EVENTS } from './write-set.ts';

const REMEMBERED_FOR_MS = 5_000;
const REMEMBERED_AT_MOST = 5_000;

/** Version 1.0 stored events without their tenant. */
type Found = DomainEvent & { readonly tenantId?: TenantId };

/**
 * Events that this process has just committed, so that its workers need not read them again. All other events are read,
 * also those of failed rows, because a customer may have been erased from them since.
 */
export type RecentEvents = {
  remember(events: readonly DomainEvent[]): void;
  /** The events of these outbox rows, in no order; events that are not stored are missing. */
  find(rows: readonly OutboxRow[]): Promise<readonly Found[]>;
};

export const createRecentEvents = (deps: { readonly db: Database; readonly clock: Clock }): RecentEvents => {
  /** Oldest first. */
  const remembered = new Map<string, { readonly event: Found; readonly until: number }>();

  const forgetOld = (now: number): void => {
    for (const [id, { until }] of remembered) {
      if (until > now && remembered.size <= REMEMBERED_AT_MOST) return;
      remembered.delete(id);
    }
  };

  return {
    remember(events) {
      const now = deps.clock().getTime();
      for (const event of events) remembered.set(event.id, { event, until: now + REMEMBERED_FOR_MS });
      forgetOld(now);
    },

    async find(rows) {
      forgetOld(deps.clock().getTime());
      const known = new Map<string, Found>();
      const others: OutboxRow[] = [];
      for (const row of rows) {
        const found = row.failures === 0 ? remembered.get(row.subject) : undefined;
        if (found) known.set(row.subject, found.event);
        else others.push(row);
      }
      const read = await findOfTenants<Found>(deps.db, DOMAIN_EVENTS, '_id', subjectsOf(others), {
        projection: { _id: 0 },
      });
      return [...known.values(), ...read.filter(({ id }) => !known.has(id))];
    },
  };
};
