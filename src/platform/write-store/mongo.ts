import {
  type Collection,
  type Db,
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
import { IDS_AT_ONCE, resourceIn, SCAN_ANSWERS_WITHIN_MS } from './local-server.ts';
import { endLostStatements } from './lost-connections.ts';

/** Leaves out the fields of a stored document that are not part of the resource. */
export const RESOURCE_ONLY = { _id: 0, secret: 0, tenantId: 0 } as const;

export type WriteStore = { readonly client: MongoClient; readonly db: Db };

const ANSWERS_WITHIN_MS = 15_000;

/** Options of the driver that an address may name itself. */
const DEFAULTS = {
  maxPoolSize: 50,
  serverSelectionTimeoutMS: 3_000,
  // Holds for the monitor, too: a server that is busy for some seconds is not gone.
  connectTimeoutMS: 10_000,
  waitQueueTimeoutMS: 5_000,
} as const;

/** Defaults that the address leaves open; the driver would let them win over the address. */
const defaultsFor = (uri: string): Partial<typeof DEFAULTS> => {
  const asked = new URLSearchParams(uri.split('?')[1]);
  const named = new Set([...asked.keys()].map((name) => name.toLowerCase()));
  return Object.fromEntries(Object.entries(DEFAULTS).filter(([name]) => !named.has(name.toLowerCase())));
};

/** Whether the driver takes an address; its own reason may quote a password. */
export const isMongoUri = (uri: string): boolean => {
  try {
    new MongoClient(uri);
    return true;
  } catch {
    return false;
  }
};

/** Connects lazily: a server that is down shows at the first use, as 503, and not as a failed start. */
export const openWriteStore = (
  uri: string,
  database: string,
  { forScans = false }: { readonly forScans?: boolean } = {},
): WriteStore => {
  endLostStatements();
  const client = new MongoClient(uri, {
    ...defaultsFor(uri),
    appName: 'portico',
    socketTimeoutMS: forScans ? SCAN_ANSWERS_WITHIN_MS : ANSWERS_WITHIN_MS,
    writeConcern: { w: 'majority' },
    ignoreUndefined: false,
  });
  return { client, db: client.db(database) };
};

/** Keeps count of the driver's connections: how many there are, and how many of them are in use. */
export const countConnections = (
  { client }: WriteStore,
  count: (state: 'open' | 'in_use', change: 1 | -1) => void,
): void => {
  client.on('connectionCreated', () => count('open', 1));
  client.on('connectionClosed', () => count('open', -1));
  client.on('connectionCheckedOut', () => count('in_use', 1));
  client.on('connectionCheckedIn', () => count('in_use', -1));
};

/** Ids in parts, for one statement each. */
export const inParts = <T>(ids: readonly T[]): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(ids.length / IDS_AT_ONCE) }, (_, part) =>
    ids.slice(part * IDS_AT_ONCE, (part + 1) * IDS_AT_ONCE),
  );

/**
 * The documents that have one of these values in a field, and match `also`, however many they are; in no order.
 * RESOURCE_ONLY is done here and not by the server.
 */
export const findAmong = async <T extends Document>(
  collection: Collection<{ _id: string }>,
  field: string,
  values: Iterable<string>,
  options: FindOptions,
  also: Document = {},
): Promise<readonly T[]> => {
  const { projection, ...whole } = options;
  const isCutHere = projection === RESOURCE_ONLY;
  const found: T[] = [];
  for (const part of inParts([...new Set(values)])) {
    const filter = { [field]: { $in: part }, ...also } as Filter<{ _id: string }>;
    const documents = await collection.find<T>(filter, isCutHere ? whole : options).toArray();
    found.push(...(isCutHere ? documents.map((one) => resourceIn(one) as unknown as T) : documents));
  }
  return found;
};

/** A stage of an aggregation that adds, as an array, the resources that a field of the document names. */
export const alongside = <T extends Resource>(
  as: string,
  from: Store<T>,
  by: { readonly localField: string; readonly foreignField: string },
) => ({ $lookup: { from: from.collection, ...by, as } });

/** Code of the server's error for a document, or a value of a unique index, that exists. */
export const DUPLICATE_KEY = 11_000;

export const isDuplicateKey = (error: unknown): boolean =>
  error instanceof MongoServerError && error.code === DUPLICATE_KEY;

/** Codes of retryable reads: the server shuts down, has lost its role or cannot reach others. */
const CANNOT_SERVE = [6, 7, 89, 91, 134, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436];

/** Whether the server could not be reached, was lost, or cannot serve: it is at fault and not the request. */
export const isStoreDown = (error: unknown): boolean =>
  (error instanceof MongoServerError && CANNOT_SERVE.includes(Number(error.code))) ||
  isBrokenOffBulk(error) ||
  isLostSocket(error) ||
  // Errors of a pool that was cleared count, too.
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

/** Codes of a server that answers and cannot do its work: an error of its own, of its storage, a full disk. */
const IS_BROKEN = [1, 8, 14_031];

/**
 * Whether the server is at fault, reached or not. A command that met one that is broken is not tried again: that may be
 * the server's answer to this one command, which then would hold up the others of its group.
 */
export const isStoreAtFault = (error: unknown): boolean =>
  isStoreDown(error) || (error instanceof MongoServerError && IS_BROKEN.includes(Number(error.code)));

/** The driver lets the system's own error through where a connection ends while much is being sent. */
const isLostSocket = (error: unknown): boolean =>
  ['EPIPE', 'ECONNRESET'].includes(String((error as { readonly code?: unknown } | null)?.code));

/** The driver hides a lost connection in an error of the whole batch, without a code. */
const isBrokenOffBulk = (error: unknown): boolean =>
  error instanceof MongoBulkWriteError && error.code === undefined;
