import { type Timestamp, timestamp } from './clock.ts';
import type { MerchantId, UserId } from './ids.ts';
import type { TenantId } from './tenant.ts';

/** A record under optimistic concurrency: `version` grows by one with every change. */
export type Resource = { readonly id: string; readonly version: number };

/** A record that tells when it began and when it last changed. */
export type DatedResource = Resource & { readonly createdAt: Timestamp; readonly updatedAt: Timestamp };

/** Such a record of a merchant, in one environment. */
export type MerchantRecord = DatedResource & { readonly livemode: boolean; readonly merchantId: MerchantId };

/** Decision of a rule: the event's name and the whole resource that it leads to, before its version is set. */
export type Decision<T extends Resource> = { readonly type: string; readonly data: T };

/** Decides on a new record. */
export const created = <T extends DatedResource>(
  type: string,
  now: Date,
  record: Omit<T, 'version' | 'createdAt' | 'updatedAt'>,
): Decision<T> => {
  const at = timestamp(now);
  return { type, data: { ...record, version: 0, createdAt: at, updatedAt: at } as unknown as T };
};

/** Decides on a change of a record. */
export const changed = <T extends Resource & { readonly updatedAt: Timestamp }>(
  type: string,
  record: T,
  now: Date,
  changes: NoInfer<Partial<T>>,
): Decision<T> => ({ type, data: { ...record, ...changes, updatedAt: timestamp(now) } });

/** Author of a change: an API key, a merchant's user, an operator, or the gateway itself. */
export type Actor = { readonly kind: 'key' | 'user' | 'operator' | 'system'; readonly id: string };

/**
 * A stored event, with the whole resource as it is then: nothing is ever folded. Only what its document keeps once
 * (`keptOnce` of its store) is left out.
 */
export type DomainEvent<T extends Resource = Resource> = {
  readonly id: string;
  readonly type: string;
  readonly resource: string;
  readonly resourceId: string;
  readonly version: number;
  readonly at: Timestamp;
  readonly actor: Actor;
  readonly requestId: string;
  readonly data: T;
};

/** Context of every command besides its payload. `commits` is filled as transactions end, oldest first. */
export type CommandContext = {
  readonly actor: Actor;
  readonly requestId: string;
  /** Network address that the request came from; null for work that no request asked for. */
  readonly address: string | null;
  /** The author of the proposal that the actor approves: the rights of both have to suffice. */
  readonly proposedBy?: UserId;
  /** Owner of everything that the command is about, null where that is only known once it is read. */
  readonly tenantId: TenantId | null;
  readonly commits: string[];
};

/** A command as callers give it: what it is about, and its context. */
export type Command<Given, Result> = (command: Given, context: CommandContext) => Promise<Result>;

/** The context of work that the gateway does by itself, for one tenant where that is known. */
export const systemContext = (name: string, tenantId: TenantId | null = null): CommandContext => ({
  actor: { kind: 'system', id: name },
  requestId: name,
  address: null,
  tenantId,
  commits: [],
});
