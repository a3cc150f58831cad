import { ObjectId } from 'mongodb';
import { duplicateKey, Held, noTransaction, writeConflict } from './errors.ts';
import { type Filter, matches, wantedValues } from './filters.ts';
import { type Fields, isFields, textOf, type Value, valuesAt } from './values.ts';

export type Index = {
  readonly name: string;
  readonly paths: readonly (readonly string[])[];
  readonly key: Fields;
  readonly isUnique: boolean;
  readonly partial: Filter | null;
};

/** A document as it was from a commit on; null where it was removed. */
type Version = { readonly at: number; readonly fields: Fields | null };

/** A document with its former versions, as long as an open transaction may read them. */
type Entry = {
  readonly id: string;
  versions: readonly Version[];
  /** The transaction that has written it and is not committed yet, and what it wrote. */
  pending: { readonly by: Transaction; readonly fields: Fields | null } | null;
  /** Where it is found in the collection's buckets. */
  places: ReadonlySet<string>;
};

export type Transaction = {
  /** Commits that it sees; null before its first statement. */
  snapshot: number | null;
  status: 'open' | 'committed' | 'aborted';
  readonly isOwn: boolean;
  readonly beganAt: number;
  readonly written: Map<Entry, Collection>;
};

export type Collection = {
  readonly name: string;
  readonly entries: Map<string, Entry>;
  readonly indexes: Map<string, Index>;
  /**
   * Documents by the values of the first field of each index, those of open transactions and of older versions
   * included.
   */
  readonly buckets: Map<string, Set<Entry>>;
  readonly paths: Set<string>;
};

const LIFETIME_MS = 60_000;

const placeOf = (path: string, text: string): string => `${path}\n${text}`;

const placesOf = ({ paths }: Collection, fields: Fields): readonly string[] =>
  [...paths].flatMap((path) => {
    const values = valuesAt(fields, path.split('.'));
    const all = values.flatMap((value) => (Array.isArray(value) ? [value, ...value] : [value]));
    return [...all, ...(values.length === 0 ? [null] : [])].map((value) => placeOf(path, textOf(value)));
  });

const uniqueKeyOf = ({ paths, partial }: Index, fields: Fields): string | null => {
  if (partial && !matches(fields, partial)) return null;
  return paths.map((path) => textOf(valuesAt(fields, path)[0])).join('\n');
};

/**
 * Documents with snapshots and transactions, as MongoDB has them: a transaction sees the commits before its first
 * statement; the second that writes a document loses, at once. `now` is the time by which transactions end that nobody
 * goes on with.
 */
export class Engine {
  readonly collections = new Map<string, Collection>();
  private readonly now: () => number;
  private readonly open = new Set<Transaction>();
  /** Documents of which older versions were kept for an open transaction. */
  private readonly kept = new Map<Entry, Collection>();
  private commits = 0;

  constructor(now: () => number) {
    this.now = now;
  }

  collection(name: string): Collection {
    const known = this.collections.get(name);
    if (known) return known;
    const made: Collection = {
      name,
      entries: new Map(),
      indexes: new Map(),
      buckets: new Map(),
      paths: new Set(['_id']),
    };
    this.collections.set(name, made);
    return made;
  }

  begin(isOwn = false): Transaction {
    this.endForgotten();
    const transaction: Transaction = {
      snapshot: isOwn ? this.commits : null,
      status: 'open',
      isOwn,
      beganAt: this.now(),
      written: new Map(),
    };
    this.open.add(transaction);
    return transaction;
  }

  /** Another server takes over: it knows what was committed, and no transaction that is open. */
  failOver(): void {
    for (const one of this.open) if (!one.isOwn) this.abort(one);
  }

  private endForgotten(): void {
    for (const one of this.open) if (this.now() - one.beganAt > LIFETIME_MS) this.abort(one);
  }

  /** Takes the snapshot at the first statement; a transaction that has ended takes none any more. */
  private enter(transaction: Transaction | null): void {
    if (!transaction) return;
    this.endForgotten();
    if (transaction.status !== 'open') throw noTransaction();
    transaction.snapshot ??= this.commits;
  }

  commit(transaction: Transaction): void {
    if (transaction.status === 'committed') return;
    this.endForgotten();
    if (transaction.status === 'aborted') throw noTransaction();
    transaction.status = 'committed';
    this.open.delete(transaction);
    if (transaction.written.size > 0) this.commits += 1;
    for (const [entry, collection] of transaction.written) {
      const { fields } = entry.pending as NonNullable<Entry['pending']>;
      entry.versions = [...entry.versions, { at: this.commits, fields }];
      this.settle(collection, entry);
    }
    this.forget();
  }

  abort(transaction: Transaction): void {
    if (transaction.status !== 'open') return;
    transaction.status = 'aborted';
    this.open.delete(transaction);
    for (const [entry, collection] of transaction.written) this.settle(collection, entry);
    this.forget();
  }

  /** Forgets what was kept for transactions, once none is open. */
  private forget(): void {
    if (this.open.size > 0) return;
    const kept = [...this.kept];
    this.kept.clear();
    for (const [entry, collection] of kept) this.settle(collection, entry);
  }

  /** Forgets what was pending, and versions that nobody can read any more. */
  private settle(collection: Collection, entry: Entry): void {
    entry.pending = null;
    const oldest = Math.min(this.commits, ...[...this.open].map(({ snapshot }) => snapshot ?? this.commits));
    const first = entry.versions.findLastIndex(({ at }) => at <= oldest);
    entry.versions = entry.versions.slice(Math.max(0, first));
    // A removal that an open transaction does not see yet makes that one lose.
    const isKept = entry.versions.length > 1 || (entry.versions[0]?.at ?? 0) > oldest;
    if (isKept) this.kept.set(entry, collection);
    else if (
      entry.versions.every(({ fields }) => fields === null) &&
      collection.entries.get(entry.id) === entry
    )
      collection.entries.delete(entry.id);
    this.place(collection, entry);
  }

  private place({ buckets, ...rest }: Collection, entry: Entry): void {
    const collection = { buckets, ...rest };
    const all = [...entry.versions.map(({ fields }) => fields), entry.pending?.fields ?? null];
    const places = new Set(all.flatMap((fields) => (fields ? placesOf(collection, fields) : [])));
    for (const place of entry.places)
      if (!places.has(place)) {
        buckets.get(place)?.delete(entry);
        if (buckets.get(place)?.size === 0) buckets.delete(place);
      }
    for (const place of places) {
      const bucket = buckets.get(place);
      if (bucket) bucket.add(entry);
      else buckets.set(place, new Set([entry]));
    }
    entry.places = places;
  }

  private seen(entry: Entry, transaction: Transaction | null): Fields | null {
    if (transaction && entry.pending?.by === transaction) return entry.pending.fields;
    const until = transaction?.snapshot ?? this.commits;
    return entry.versions.findLast(({ at }) => at <= until)?.fields ?? null;
  }

  /** Documents among which those of the filter are. */
  private candidates(collection: Collection, filter: Filter): Iterable<Entry> {
    for (const path of collection.paths) {
      const values = wantedValues(filter, path);
      if (!values) continue;
      const found = new Set<Entry>();
      for (const value of values)
        for (const entry of collection.buckets.get(placeOf(path, textOf(value))) ?? []) found.add(entry);
      return found;
    }
    return collection.entries.values();
  }

  /** Documents that match, as the transaction sees them, in the order in which they were added. */
  find(transaction: Transaction | null, name: string, filter: Filter): readonly Fields[] {
    this.enter(transaction);
    return this.entriesOf(transaction, this.collection(name), filter).map(({ fields }) => fields);
  }

  private entriesOf(transaction: Transaction | null, collection: Collection, filter: Filter) {
    const found: { readonly entry: Entry; readonly fields: Fields }[] = [];
    for (const entry of this.candidates(collection, filter)) {
      const fields = this.seen(entry, transaction);
      if (fields && matches(fields, filter)) found.push({ entry, fields });
    }
    return found;
  }

  insert(transaction: Transaction, name: string, given: Fields): Value {
    this.enter(transaction);
    const collection = this.collection(name);
    const fields = given._id === undefined ? { _id: new ObjectId(), ...given } : given;
    const id = textOf(fields._id);
    const known = collection.entries.get(id);
    if (known && this.seen(known, transaction)) {
      if (transaction.isOwn) this.assertFree(transaction, known);
      throw duplicateKey(name, '_id_');
    }
    const entry: Entry = known ?? { id, versions: [], pending: null, places: new Set() };
    this.write(transaction, collection, entry, fields);
    return fields._id ?? null;
  }

  /** Changes the documents that match, or the first of them; answers them as they were and as they are. */
  change(
    transaction: Transaction,
    name: string,
    filter: Filter,
    limit: number,
    changed: (fields: Fields) => Fields | null,
  ): readonly { readonly before: Fields; readonly after: Fields | null }[] {
    this.enter(transaction);
    const collection = this.collection(name);
    return this.entriesOf(transaction, collection, filter)
      .slice(0, limit)
      .map(({ entry, fields }) => {
        const after = changed(fields);
        if (after === null || textOf(after) !== textOf(fields))
          this.write(transaction, collection, entry, after);
        return { before: fields, after };
      });
  }

  /** Throws where another transaction has the document, or has changed it since this one began. */
  private assertFree(transaction: Transaction, { pending, versions }: Entry): void {
    if (pending && pending.by !== transaction) throw transaction.isOwn ? new Held() : writeConflict();
    if ((versions.at(-1)?.at ?? 0) > Number(transaction.snapshot)) throw writeConflict();
  }

  private write(transaction: Transaction, collection: Collection, entry: Entry, fields: Fields | null): void {
    if (fields) this.assertUnique(transaction, collection, entry, fields);
    this.assertFree(transaction, entry);
    entry.pending = { by: transaction, fields };
    collection.entries.set(entry.id, entry);
    transaction.written.set(entry, collection);
    this.place(collection, entry);
  }

  private assertUnique(transaction: Transaction, collection: Collection, entry: Entry, fields: Fields): void {
    for (const index of collection.indexes.values()) {
      const key = index.isUnique ? uniqueKeyOf(index, fields) : null;
      const [first] = index.paths;
      if (key === null || !first) continue;
      const has = (other: Fields | null | undefined): boolean => !!other && uniqueKeyOf(index, other) === key;
      const place = placeOf(first.join('.'), textOf(valuesAt(fields, first)[0]));
      for (const other of collection.buckets.get(place) ?? []) {
        if (other === entry) continue;
        const isHeld = other.pending !== null && other.pending.by !== transaction;
        const mayHave = has(other.pending?.fields) || has(other.versions.at(-1)?.fields);
        if (isHeld && mayHave && transaction.isOwn) throw new Held();
        if (has(this.seen(other, transaction))) throw duplicateKey(collection.name, index.name);
        if (isHeld && mayHave) throw writeConflict();
        if (other.pending?.by !== transaction && has(other.versions.at(-1)?.fields)) throw writeConflict();
      }
    }
  }

  createIndex(name: string, index: Index): void {
    const collection = this.collection(name);
    if (collection.indexes.has(index.name)) return;
    collection.indexes.set(index.name, index);
    const [first] = index.paths;
    if (first) collection.paths.add(first.join('.'));
    const keys = new Set<string>();
    for (const entry of collection.entries.values()) {
      this.place(collection, entry);
      const fields = this.seen(entry, null);
      const key = fields && index.isUnique ? uniqueKeyOf(index, fields) : null;
      if (key !== null && keys.has(key)) {
        collection.indexes.delete(index.name);
        throw duplicateKey(name, index.name);
      }
      if (key !== null) keys.add(key);
    }
  }
}

export const indexOf = (key: unknown, options: { readonly [name: string]: Value | undefined }): Index => {
  if (!isFields(key)) throw new Error('an index needs its fields');
  return {
    name:
      typeof options.name === 'string'
        ? options.name
        : Object.entries(key)
            .map(([path, direction]) => `${path}_${direction}`)
            .join('_'),
    key,
    paths: Object.keys(key).map((path) => path.split('.')),
    isUnique: options.unique === true,
    partial: isFields(options.partialFilterExpression) ? options.partialFilterExpression : null,
  };
};
