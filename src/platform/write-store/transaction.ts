import type { ClientSession } from 'mongodb';
import type { Clock } from '../../kernel/clock.ts';
import type { CommandContext, Decision, Resource } from '../../kernel/event.ts';
import type { MerchantId, NewId } from '../../kernel/ids.ts';
import type { SecretStore, Store } from '../../kernel/store.ts';
import type { Audited } from './audit.ts';
import type { OutboxRow } from './outbox.ts';

/**
 * Collects what a command decides on; all of it is stored together, or nothing is. A document that is changed must
 * still have the version that the decision was made on.
 */
export type Transaction = {
  /** The resource as it is now, with what this transaction has decided on it. */
  get<T extends Resource>(from: Store<T>, id: string): Promise<T | null>;
  /** Reads the resources that exist, in no order. */
  getAll<T extends Resource>(from: Store<T>, ids: readonly string[]): Promise<readonly T[]>;
  /**
   * Saves the decision of a rule: the resource, the event and an outbox row for every consumer that wants it. The
   * resource must still have the version of `previous`. Null as `previous` creates it. `secret` is stored beside the
   * resource and in no event. The audit log records an operator's change, and every change where the store says so.
   */
  record<T extends Resource>(
    into: SecretStore<T>,
    previous: T | null,
    decision: Decision<T>,
    secret?: object,
  ): Promise<T>;
  record<T extends Resource>(into: Store<T>, previous: T | null, decision: Decision<T>): Promise<T>;
  /** Records in the audit log what changed nothing but must leave a trace, such as the reading of a secret. */
  audit(audited: Audited): Promise<void>;
  /** Saves a new document that has no event. `merchantId` owns it, where the document does not name its owner. */
  insert(
    collection: string,
    document: { readonly _id: string },
    merchantId?: MerchantId | null,
  ): Promise<void>;
  /** Changes a resource without an event, if its version is still that of `previous`. */
  update<T extends Resource>(into: Store<T>, previous: T, next: T): Promise<T>;
  /** Hands work on to a consumer, besides what follows from `record`. `key` is the subject where there is none. */
  enqueue(consumer: string, subject: string, key?: string): void;
};

/** A transaction of the write store for one command alone: all that it reads is of one snapshot. */
export type OwnTransaction = Transaction & {
  readonly session: ClientSession;
  /** Takes rows away that are worked off in this transaction; answers those that nobody has taken before. */
  takeRows(rows: readonly OutboxRow[]): Promise<readonly OutboxRow[]>;
  /** Gives another consumer the work of rows, under the commits and times of the commands that caused it. */
  handOn(rows: readonly OutboxRow[], consumer: string): void;
};

/**
 * Runs `work`, perhaps several times, and stores what it collected. Commands that come at the same time share the
 * commit. A command whose documents another one has changed meanwhile runs again.
 */
export type Transact = {
  <T>(context: CommandContext, work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** For work whose decision hangs on searches, or on changes that it makes on its way. */
  alone<T>(context: CommandContext, work: (tx: OwnTransaction) => Promise<T>): Promise<T>;
};

/** Dependencies of commands that change resources. */
export type Changing = { readonly transact: Transact; readonly clock: Clock };

/** Dependencies of commands that create resources or book journals. */
export type Creating = Changing & { readonly newId: NewId };
