import { type MongoClient, ReadConcern } from 'mongodb';
import { mayAskAll } from '../../src/main/all-shards.ts';
import { SPREAD_COLLECTIONS } from '../../src/main/tenants.ts';

type Filter = Readonly<Record<string, unknown>>;

/** Options by which statements of the tests are told from those of the program. */
export const OF_TESTS = {
  readConcern: new ReadConcern('local'),
  writeConcern: { w: 'majority', j: true },
} as const;

/** Members of a command that select documents. */
type Command = {
  readonly filter?: Filter;
  readonly query?: Filter;
  readonly pipeline?: readonly { readonly $match?: Filter; readonly $lookup?: { readonly from: string } }[];
  readonly updates?: readonly { readonly q: Filter }[];
  readonly deletes?: readonly { readonly q: Filter }[];
  readonly documents?: readonly Filter[];
  readonly readConcern?: { readonly level?: string };
  readonly writeConcern?: { readonly j?: boolean };
};

const isOfTests = ({ readConcern, writeConcern }: Command): boolean =>
  readConcern?.level === OF_TESTS.readConcern.level || writeConcern?.j === true;

const SELECTING = ['find', 'aggregate', 'update', 'delete', 'findAndModify', 'distinct', 'count'];

const filtersOf = (
  name: string,
  { filter, query, pipeline, updates, deletes }: Command,
): readonly Filter[] => {
  if (name === 'update') return (updates ?? []).map(({ q }) => q);
  if (name === 'delete') return (deletes ?? []).map(({ q }) => q);
  return [filter ?? query ?? pipeline?.[0]?.$match ?? {}];
};

/** Several tenants are named too: of rows of the outbox that are removed together, or as one and none. */
const namesTenant = ({ tenantId }: Filter): boolean =>
  typeof tenantId === 'string' || Array.isArray((tenantId as { readonly $in?: unknown } | undefined)?.$in);

const collectionOf = (name: string, command: Command): string =>
  String((command as Readonly<Record<string, unknown>>)[name]);

/** Selections on spread collections that ask all shards, as `collection: field, field`, of one command. */
const askingAll = (name: string, command: Command): readonly string[] => {
  const joined = (command.pipeline ?? []).flatMap(({ $lookup }) => ($lookup ? [$lookup.from] : []));
  const collection = collectionOf(name, command);
  const own = SPREAD_COLLECTIONS.includes(collection)
    ? filtersOf(name, command)
        .filter((filter) => !namesTenant(filter))
        .map((filter) => `${collection}: ${Object.keys(filter).sort().join(', ')}`)
    : [];
  return [
    ...own,
    ...joined.filter((from) => SPREAD_COLLECTIONS.includes(from)).map((from) => `${from}: joined`),
  ];
};

/** Documents of a spread collection that a command stores beside all tenants, each as a statement of its collection. */
const storingNameless = (name: string, command: Command): readonly string[] => {
  const collection = collectionOf(name, command);
  if (name !== 'insert' || !SPREAD_COLLECTIONS.includes(collection)) return [];
  return (command.documents ?? [])
    .filter((document) => !namesTenant(document))
    .map(({ consumer }) => `${collection}: stored without tenant${consumer ? ` for ${consumer}` : ''}`);
};

/**
 * Listens to the commands of a driver that reports them. Tells of each that asks all shards, or stores a document that
 * names no tenant.
 */
export const listenToStatements = (client: MongoClient, tell: (statement: string) => void): void => {
  client.on('commandStarted', ({ commandName, command }) => {
    if (isOfTests(command as Command)) return;
    const asking = SELECTING.includes(commandName) ? askingAll(commandName, command as Command) : [];
    for (const statement of [...asking, ...storingNameless(commandName, command as Command)]) tell(statement);
  });
};

/** The same of several drivers; answers what was told so far. */
export const watchStatements = (...clients: readonly MongoClient[]): (() => readonly string[]) => {
  const seen = new Set<string>();
  for (const client of clients) listenToStatements(client, (statement) => seen.add(statement));
  return () => [...seen].sort();
};

/** Throws where a statement asks all shards that is not on the list of those that may. */
export const assertListed = (statements: readonly string[]): void => {
  const others = statements.filter((statement) => !mayAskAll(statement));
  if (others.length > 0) throw new Error(`statements do not name a tenant: ${others.join('; ')}`);
};
