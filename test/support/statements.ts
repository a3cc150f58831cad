import { type MongoClient, ReadConcern } from 'mongodb';
import { tenantShownBy } from '../../src/kernel/tenant.ts';
import { SPREAD_COLLECTIONS, TENANT_COLLECTIONS } from '../../src/main/tenants.ts';
import type { SubjectOf } from '../../src/platform/write-store/name-tenants.ts';
import { mayAskAll } from './asking-all.ts';

type Filter = Readonly<Record<string, unknown>>;
type Stored = Parameters<SubjectOf>[0];

/** Options that distinguish statements of the tests from those of the program. */
export const OF_TESTS = {
  readConcern: new ReadConcern('local'),
  writeConcern: { w: 'majority', j: true },
} as const;

/** Members of a command that select documents. */
type Command = {
  readonly filter?: Filter;
  readonly query?: Filter;
  readonly pipeline?: readonly { readonly $match?: Filter; readonly $lookup?: { readonly from: string } }[];
  readonly updates?: readonly { readonly q: Filter; readonly u: Filter }[];
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

/**
 * Whether a filter names its tenant, or several of them: outbox rows that are removed together, or rows of one tenant
 * and of none.
 */
const namesTenant = ({ tenantId }: Filter): boolean =>
  typeof tenantId === 'string' || Array.isArray((tenantId as { readonly $in?: unknown } | undefined)?.$in);

const collectionOf = (name: string, command: Command): string =>
  String((command as Readonly<Record<string, unknown>>)[name]);

/** Selections on spread collections in one command that search all shards, as `collection: field, field`. */
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

/** The complaint about a document whose owner is not of the tenant that it names. */
const ofAnother = (collection: string, said: object, tenantId: unknown): readonly string[] => {
  const shown = tenantShownBy(said);
  return shown !== null && shown !== tenantId ? [`${collection}: stored for another tenant`] : [];
};

/**
 * The documents that a command stores in a spread collection without naming their tenant, in the form of statements.
 */
const storingAstray = (
  name: string,
  { documents = [], updates = [], ...command }: Command,
): readonly string[] => {
  const collection = collectionOf(name, command);
  if (!SPREAD_COLLECTIONS.includes(collection)) return [];
  const subjectOf = TENANT_COLLECTIONS.get(collection) ?? (() => ({}));
  const stored = name === 'insert' ? documents : [];
  const changed = name === 'update' ? updates : [];
  return [
    ...stored.flatMap((document) => {
      const { consumer, tenantId } = document;
      return namesTenant(document)
        ? ofAnother(collection, subjectOf(document as Stored), tenantId)
        : [`${collection}: stored without tenant${consumer ? ` for ${consumer}` : ''}`];
    }),
    ...changed.flatMap(({ q, u: { $set, ...whole } }) => {
      const said = { ...whole, ...($set as object | undefined) };
      return ofAnother(collection, said, 'tenantId' in said ? said.tenantId : q.tenantId);
    }),
  ];
};

/**
 * Listens to the commands of a driver with command monitoring. Reports each that searches all shards, or that stores a
 * document without its tenant.
 */
export const listenToStatements = (client: MongoClient, tell: (statement: string) => void): void => {
  client.on('commandStarted', ({ commandName, command }) => {
    if (isOfTests(command as Command)) return;
    const asking = SELECTING.includes(commandName) ? askingAll(commandName, command as Command) : [];
    for (const statement of [...asking, ...storingAstray(commandName, command as Command)]) tell(statement);
  });
};

/** Watches several drivers; the returned function returns all reports so far. */
export const watchStatements = (...clients: readonly MongoClient[]): (() => readonly string[]) => {
  const seen = new Set<string>();
  for (const client of clients) listenToStatements(client, (statement) => seen.add(statement));
  return () => [...seen].sort();
};

/** Throws for a statement that searches all shards and is not on the list of those that may. */
export const assertListed = (statements: readonly string[]): void => {
  const others = statements.filter((statement) => !mayAskAll(statement));
  if (others.length > 0) throw new Error(`statements do not name their tenant: ${others.join('; ')}`);
};
