import { MongoNetworkError, MongoServerError } from 'mongodb';

const LOST_RACE = 112;
const NO_TRANSACTION = 251;
const DUPLICATE = 11_000;
export const COLLECTION_EXISTS = 48;

const TRANSIENT = ['TransientTransactionError'];

/** Another transaction has written the document, or the value of a unique index, since this one began. */
export const writeConflict = (): MongoServerError =>
  new MongoServerError({
    message: 'WriteConflict error: this operation conflicted with another operation.',
    code: LOST_RACE,
    errorLabels: TRANSIENT,
  });

export const noTransaction = (): MongoServerError =>
  new MongoServerError({
    message: 'Transaction has been aborted.',
    code: NO_TRANSACTION,
    errorLabels: TRANSIENT,
  });

export const duplicateKey = (collection: string, index: string): MongoServerError =>
  new MongoServerError({
    message: `E11000 duplicate key error collection: ${collection} index: ${index}`,
    code: DUPLICATE,
  });

export const serverError = (code: number, message: string): MongoServerError =>
  new MongoServerError({ message, code });

/**
 * The connection is lost; in a transaction the driver says that it may be tried again, and of a commit that it is open.
 */
export const connectionLost = (during: 'statement' | 'transaction' | 'commit'): MongoNetworkError => {
  const error = new MongoNetworkError('connection closed');
  if (during === 'transaction') error.addErrorLabel('TransientTransactionError');
  if (during === 'commit') error.addErrorLabel('UnknownTransactionCommitResult');
  return error;
};

/** Tells the driver's part that a statement outside of transactions waits for one that holds its document. */
export class Held extends Error {}
