import { setTimeout as sleep } from 'node:timers/promises';
import { MongoError, MongoServerError } from 'mongodb';
import { isDuplicateKey, isStoreDown } from './mongo.ts';
import { VersionConflict } from './write-set.ts';

/** Thrown where a transaction may have taken effect after all, because it was sent to be committed. */
export class Uncertain extends Error {}

const hasLabel = (error: unknown, label: string): boolean =>
  error instanceof MongoError && error.hasErrorLabel(label);

export const isUnknownResult = (error: unknown): boolean => hasLabel(error, 'UnknownTransactionCommitResult');

const WRITE_CONFLICT = 112;
/**
 * A server that keeps its data in PostgreSQL may pass on PostgreSQL's message for a lost race, with a general code and
 * without a label: SQLSTATE 40001 (serialization_failure) and 40P01 (deadlock_detected).
 */
const CONFLICT_IN_WORDS = /\bcould not serialize access\b|\bdeadlock detected\b|\b40001\b|\b40P01\b/;

const isWriteConflict = (error: unknown): boolean =>
  error instanceof MongoServerError &&
  (error.code === WRITE_CONFLICT || CONFLICT_IN_WORDS.test(error.message));

/**
 * Whether an error is a lost race or a lost connection. A unique key that a concurrent transaction took first is a lost
 * race, too.
 */
export const mayRunAgain = (error: unknown): boolean =>
  error instanceof VersionConflict ||
  hasLabel(error, 'TransientTransactionError') ||
  isUnknownResult(error) ||
  isDuplicateKey(error) ||
  isWriteConflict(error) ||
  isStoreDown(error);

/** Waits for a random time, so that transactions that collided do not meet again; the time grows with each try. */
export const pauseAfter = (tries: number): Promise<void> => sleep(Math.random() * Math.min(200, 5 * tries));
