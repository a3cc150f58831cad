import type { Timestamp } from '../../../kernel/clock.ts';
import type { UserId } from '../../../kernel/ids.ts';
import type { OperatorPermission } from '../../../kernel/principal.ts';
import type { OwnTransaction } from '../../../platform/write-store/transaction.ts';

/** An enabled operator with the permissions of this moment. */
export type Operator = {
  readonly id: UserId;
  /** When the account was created, or stopped being a merchant's. */
  readonly since: Timestamp;
  readonly permissions: readonly OperatorPermission[];
};

/** Questions about operators, as a transaction sees them. */
export type Operators = {
  /** The operator; null for a disabled user and for a user of a merchant. */
  find(tx: OwnTransaction, userId: string): Promise<Operator | null>;
  /** Whether this is the very first operator and nobody else could administer users. */
  isAlone(tx: OwnTransaction, userId: string): Promise<boolean>;
  /** Makes transactions that rely on rights of operators collide, so that they run one after the other. */
  serialize(tx: OwnTransaction): Promise<void>;
};
