import { type Timestamp, timestamp } from './clock.ts';
import type { MerchantId, UserId } from './ids.ts';
import type { TenantId } from './tenant.ts';

/** A record under optimistic concurrency control: `version` grows by one with every change. */
export type Resource = { readonly id: string; readonly version: number };

/** A record with the times of its creation and its last change. */
export type DatedResource = Resource & { readonly createdAt: Timestamp; readonly updatedAt: Timestamp };

/** A dated record of a merchant in one environment. */
export type MerchantRecord = DatedResource & { readonly livemode: boolean; readonly merchantId: MerchantId };

/** The decision of a rule: the name of the event, and the whole resource after it, before its version is set. */
export type Decision<T extends Resource, Type extends string = string> = {
  readonly type: Type;
  readonly data: T;
};

/** Decides on a new record. */
export const created = <T extends DatedResource, const Type extends string = string>(
  type: Type,
  now: Date,
  record: Omit<T, 'version' | 'createdAt' | 'updatedAt'>,
): Decision<T, Type> => {
  const at = timestamp(now);
  return { type, data: { ...record, version: 0, createdAt: at, updatedAt: at } as unknown as T };
};

/** Decides on a change of a record. */
export const changed = <
  T extends Resource & { readonly updatedAt: Timestamp },
  const Type extends string = string,
>(
  type: Type,
  record: T,
  now: Date,
  changes: NoInfer<Partial<T>>,
): Decision<T, Type> => ({ type, data: { ...record, ...changes, updatedAt: timestamp(now) } });

/** Author of a change: an API key, a user of a merchant, an operator, or the gateway itself. */
export type Actor = { readonly kind: 'key' | 'user' | 'operator' | 'system'; readonly id: string };

/**
 * A stored event with the whole resource after it, so that no state has to be folded from events. Only members that the
 * document keeps once (`keptOnce` of its store) are left out.
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

/**
 * The context of a command besides its payload. `commits` gets the ids of its transactions as they end, oldest first.
 */
export type CommandContext = {
  readonly actor: Actor;
  readonly requestId: string;
  /** Network address that the request came from; null for work that no request asked for. */
  readonly address: string | null;
  /** The author of the proposal that the actor approves. Both of them need the rights that the command requires. */
  readonly proposedBy?: UserId;
  /** The tenant of everything that the command is about; null where that is known only after something is read. */
  readonly tenantId: TenantId | null;
  readonly commits: string[];
};

/** A command as callers invoke it: with its payload and its context. */
export type Command<Given, Result> = (command: Given, context: CommandContext) => Promise<Result>;

/** The context of work that the gateway does by itself, for one tenant if the tenant is known. */
export const systemContext = (name: string, tenantId: TenantId | null = null): CommandContext => ({
  actor: { kind: 'system', id: name },
  requestId: name,
  address: null,
  tenantId,
  commits: [],
});
