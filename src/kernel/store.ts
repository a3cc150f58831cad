import type { Resource } from './event.ts';

/**
 * Names where the documents of one kind of resource are stored. `T` is the content of a document besides `_id`, which
 * equals `id`.
 */
export type Store<T extends Resource, Type extends string = string> = {
  readonly collection: string;
  readonly resource: string;
  /** Set where the audit log records changes by everybody; otherwise it records only those by operators. */
  readonly auditsEverybody?: true;
  /**
   * Set where documents have secrets beside the resource: a change replaces the fields of the resource and leaves the
   * others.
   */
  readonly keepsSecrets?: true;
  /**
   * Set where the records have the real time, whatever their environment is, because people and live sessions change
   * them.
   */
  readonly hasRealTime?: true;
  /** Set where a document moves to the tenant of the command that changes it, whatever its former tenant was. */
  readonly followsCommand?: true;
  /**
   * Set where requests may rely for the time of a lease on documents that they have read. A command that changes such a
   * document is answered only after that time. `changes` leaves out new documents, which nobody can have read before.
   */
  readonly leased?: 'all' | 'changes';
  /**
   * Members that may be large and never change after the creation. They are only in the resource's document: events and
   * the audit log leave them out.
   */
  readonly keptOnce?: readonly string[];
  /** Never set; they only carry the types of the resource and of its events. */
  readonly holds?: T;
  readonly tells?: Type;
};

/** A store whose documents have secrets beside the resource, which neither events nor answers show. */
export type SecretStore<T extends Resource, Type extends string = string> = Store<T, Type> & {
  readonly keepsSecrets: true;
};

type Options = Pick<
  Store<Resource>,
  'auditsEverybody' | 'followsCommand' | 'hasRealTime' | 'leased' | 'keptOnce'
>;

export const store = <T extends Resource, Type extends string = string>(
  collection: string,
  resource: string,
  options: Options = {},
): Store<T, Type> => ({ collection, resource, ...options });

export const secretStore = <T extends Resource, Type extends string = string>(
  collection: string,
  resource: string,
  options: Options = {},
): SecretStore<T, Type> => ({ ...store<T, Type>(collection, resource, options), keepsSecrets: true });
