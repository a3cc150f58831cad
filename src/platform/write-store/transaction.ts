import type { ClientSession } from 'mongodb';
import type { Clock } from '../../kernel/clock.ts';
import type { CommandContext, Decision, Resource } from '../../kernel/event.ts';
import type { MerchantId, NewId } from '../../kernel/ids.ts';
import type { SecretStore, Store } from '../../kernel/store.ts';
import type { Audited } from './audit.ts';
import type { OutboxRow } from './outbox.ts';

/**
 * Collects the decisions of a command, which are stored all together or not at all. A changed document must still have
 * the version on which the decision was made.
 */
export type Transaction = {
  /** The resource as it is now, including this transaction's own decisions. */
  get<T extends Resource>(from: Store<T>, id: string): Promise<T | null>;
  /** Reads those of the resources that exist, in no order. */
  getAll<T extends Resource>(from: Store<T>, ids: readonly string[]): Promise<readonly T[]>;
  /**
   * Saves the decision of a rule: the resource, the event, and an outbox row for every consumer that wants it. The
   * resource must still have the version of `previous`; null creates it. `secret` is stored beside the resource, but in
   * no event. The audit log records an operator's change, and every change where the store says so.
   */
  record<T extends Resource, Type extends string>(
    into: SecretStore<T, Type>,
    previous: T | null,
    decision: Decision<T, NoInfer<Type>>,
    secret?: object,
  ): Promise<T>;
  record<T extends Resource, Type extends string>(
    into: Store<T, Type>,
    previous: T | null,
    decision: Decision<T, NoInfer<Type>>,
  ): Promise<T>;
  /** Records an action in the audit log that changed nothing but must leave a trace, such as the read of a secret. */
  audit(audited: Audited): Promise<void>;
  /** Saves a new document without an event. `merchantId` is its owner, where the document itself does not name one. */
  insert(
    collection: string,
    document: { readonly _id: string },
    merchantId?: MerchantId | null,
  ): Promise<void>;
  /** Changes a resource without an event, if its version is still the one of `previous`. */
  update<T extends Resource>(into: Store<T>, previous: T, next: T): Promise<T>;
  /**
   * Lets nobody change the resource, which has been read here, while this transaction is committed. It is for a command
   * that adds something for which a change of the resource looks, such as what a deletion removes along with it: without
   * it both could be stored, each without having seen the other.
   */
  hold<T extends Resource>(from: Store<T>, resource: T): Promise<void>;
  /** Adds work for a consumer, besides the work that follows from `record`. `key` is the subject by default. */
  enqueue(consumer: string, subject: string, key?: string): void;
};

/** A transaction of the write store for a single command, whose reads are all of one snapshot. */
export type OwnTransaction = Transaction & {
  readonly session: ClientSession;
  /** Removes rows whose work this transaction does; returns those that nobody had taken before. */
  takeRows(rows: readonly OutboxRow[]): Promise<readonly OutboxRow[]>;
  /** Gives the work of rows to another consumer, with the commits and times of the commands that caused it. */
  handOn(rows: readonly OutboxRow[], consumer: string): void;
};

/**
 * Runs `work`, perhaps several times, and stores what it collected. Simultaneous commands share the commit. A command
 * runs again where another one has changed its documents meanwhile.
 */
export type Transact = {
  <T>(context: CommandContext, work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** For commands that depend on searches, or on their own changes before they end. */
  alone<T>(context: CommandContext, work: (tx: OwnTransaction) => Promise<T>): Promise<T>;
};

/** Dependencies of commands that change resources. */
export type Changing = { readonly transact: Transact; readonly clock: Clock };

/** Dependencies of commands that create resources or book journals. */
export type Creating = Changing & { readonly newId: NewId };
