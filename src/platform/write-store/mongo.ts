import {
  type Document,
  type Filter,
  type FindOptions,
  MongoBulkWriteError,
  MongoClient,
  MongoError,
  MongoNetworkError,
  MongoServerError,
} from 'mongodb';
import type { Resource } from '../../kernel/event.ts';
import type { Store } from '../../kernel/store.ts';
import { endLostStatements } from '../patches/mongodb-lost-connections.ts';
import { type Database, databaseOf, type Layout } from './database.ts';
import { limitsFor, type StoreProfile } from './limits.ts';
import { resourceIn } from './stored-resource.ts';

/** Projection that leaves out the fields of a stored document that are not part of the resource. */
export const RESOURCE_ONLY = { _id: 0, secret: 0, tenantId: 0, heldBy: 0 } as const;

export type WriteStore = { readonly client: MongoClient; readonly db: Database };

const ANSWERS_WITHIN_MS = 15_000;
/** A server may read a large part of a collection before it sends the first batch. */
const SCAN_ANSWERS_WITHIN_MS = 120_000;

/** Options of the driver that the connection string may override. */
const DEFAULTS = {
  maxPoolSize: 50,
  serverSelectionTimeoutMS: 3_000,
  // This also applies to the monitor: a server that is busy for some seconds is not gone.
  connectTimeoutMS: 10_000,
  waitQueueTimeoutMS: 5_000,
} as const;

/**
 * The defaults for options that the connection string leaves open, because the driver would prefer them to the
 * connection string.
 */
const defaultsFor = (uri: string): Partial<typeof DEFAULTS> => {
  const asked = new URLSearchParams(uri.split('?')[1]);
  const named = new Set([...asked.keys()].map((name) => name.toLowerCase()));
  return Object.fromEntries(Object.entries(DEFAULTS).filter(([name]) => !named.has(name.toLowerCase())));
};

/** Whether the driver accepts a connection string. Its own error may quote a password. */
export const isMongoUri = (uri: string): boolean => {
  try {
    new MongoClient(uri);
    return true;
  } catch {
    return false;
  }
};

/** Connects on first use, so that a server that is down leads to a 503 and not to a failed start. */
export const openWriteStore = (
  uri: string,
  database: string,
  {
    forScans = false,
    layout = {},
    profile = null,
  }: {
    readonly forScans?: boolean;
    readonly layout?: Partial<Layout>;
    readonly profile?: StoreProfile | null;
  } = {},
): WriteStore => {
  endLostStatements();
  const client = new MongoClient(uri, {
    ...defaultsFor(uri),
    appName: 'portico',
    socketTimeoutMS: forScans ? SCAN_ANSWERS_WITHIN_MS : ANSWERS_WITHIN_MS,
    writeConcern: { w: 'majority' },
    ignoreUndefined: false,
  });
  return { client, db: databaseOf(client.db(database), layout, limitsFor(client, profile)) };
};

/** Counts the driver's connections, and how many of them are in use. */
export const countConnections = (
  { client }: WriteStore,
  count: (state: 'open' | 'in_use', change: 1 | -1) => void,
): void => {
  client.on('connectionCreated', () => count('open', 1));
  client.on('connectionClosed', () => count('open', -1));
  client.on('connectionCheckedOut', () => count('in_use', 1));
  client.on('connectionCheckedIn', () => count('in_use', -1));
};

/** The number of items in one step of a longer work, which is small enough not to hold up anything else for long. */
export const PART = 50;

export const inParts = <T>(all: readonly T[], size: number = PART): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, part) =>
    all.slice(part * size, (part + 1) * size),
  );

/**
 * All documents that have one of these values in a field and match `also`, in no order. RESOURCE_ONLY is applied here
 * and not by the server.
 */
export const findAmong = async <T extends Document>(
  db: Database,
  name: string,
  field: string,
  values: Iterable<string>,
  options: FindOptions,
  also: Document = {},
): Promise<readonly T[]> => {
  const { projection, ...whole } = options;
  const isCutHere = projection === RESOURCE_ONLY;
  const found: T[] = [];
  for (const part of inParts([...new Set(values)], db.limits().idsAtOnce)) {
    const filter = { [field]: { $in: part }, ...also } as Filter<{ _id: string }>;
    const documents = await db
      .collection<{ _id: string }>(name)
      .find<T>(filter, isCutHere ? whole : options)
      .toArray();
    found.push(...(isCutHere ? documents.map((one) => resourceIn(one) as unknown as T) : documents));
  }
  return found;
};

/** A stage of an aggregation that adds, as an array, the resources that a field of the document refers to. */
export const alongside = <T extends Resource>(
  as: string,
  from: Store<T>,
  by: { readonly localField: string; readonly foreignField: string },
) => ({ $lookup: { from: from.collection, ...by, as } });

/** The server's error code for a document, or a value of a unique index, that exists already. */
export const DUPLICATE_KEY = 11_000;

export const isDuplicateKey = (error: unknown): boolean =>
  error instanceof MongoServerError && error.code === DUPLICATE_KEY;

/** Codes of retryable reads: the server shuts down, has lost its role or cannot reach other servers. */
const CANNOT_SERVE = [6, 7, 89, 91, 134, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436];

/** Whether the server could not be reached, was lost or cannot serve, so that the request is not at fault. */
export const isStoreDown = (error: unknown): boolean =>
  (error instanceof MongoServerError && CANNOT_SERVE.includes(Number(error.code))) ||
  isBrokenOffBulk(error) ||
  isLostSocket(error) ||
  // Errors of a pool that was cleared count as well.
  error instanceof MongoNetworkError ||
  (error instanceof MongoError &&
    [
      'MongoServerSelectionError',
      'MongoPoolClosedError',
      'MongoWaitQueueTimeoutError',
      'MongoTopologyClosedError',
      'MongoNotConnectedError',
      'MongoExpiredSessionError',
    ].includes(error.name));

/** Codes of a server that answers but cannot do its work: an internal error, an error of its storage, a full disk. */
const IS_BROKEN = [1, 8, 14_031];

/**
 * Whether the server is at fault, whether reached or not. After an answer of a broken server the command is not
 * retried: it may be the answer to this one command, which would then hold up the others of its group.
 */
export const isStoreAtFault = (error: unknown): boolean =>
  isStoreDown(error) || (error instanceof MongoServerError && IS_BROKEN.includes(Number(error.code)));

/** The driver passes the system's own error on where a connection ends while much is being sent. */
const isLostSocket = (error: unknown): boolean =>
  ['EPIPE', 'ECONNRESET'].includes(String((error as { readonly code?: unknown } | null)?.code));

/** The driver reports a lost connection as an error of the whole batch, without a code. */
const isBrokenOffBulk = (error: unknown): boolean =>
  error instanceof MongoBulkWriteError && error.code === undefined;
