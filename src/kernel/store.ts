import type { Resource } from './event.ts';

/** Names where the documents of one kind of resource live. `T` is what they hold besides `_id`, which equals `id`. */
export type Store<T extends Resource> = {
  readonly collection: string;
  readonly resource: string;
  /** Set where everybody's changes go to the audit log; otherwise only operators' changes do. */
  readonly auditsEverybody?: true;
  /** Set where secrets may lie beside the resource: a change replaces the resource's fields and leaves the others. */
  readonly keepsSecrets?: true;
  /** Set where a change belongs to the tenant of the command that makes it, whatever the last one was. */
  readonly followsCommand?: true;
  /**
   * Set where requests may rely for a lease on what they have read. A command that changes it is answered after that.
   * `changes` leaves out new documents, which nobody can have read before.
   */
  readonly leased?: 'all' | 'changes';
  /**
   * Members that never change after the creation and may be large. Only the resource's document has them: its events
   * and the audit log's pictures leave them out.
   */
  readonly keptOnce?: readonly string[];
  /** Never set: carries the type. */
  readonly holds?: T;
};

/** A store with secrets beside its resources, in no event and in no answer. */
export type SecretStore<T extends Resource> = Store<T> & { readonly keepsSecrets: true };

type Options = Pick<Store<Resource>, 'auditsEverybody' | 'followsCommand' | 'leased' | 'keptOnce'>;

export const store = <T extends Resource>(
  collection: string,
  resource: string,
  options: Options = {},
): Store<T> => ({ collection, resource, ...options });

export const secretStore = <T extends Resource>(
  collection: string,
  resource: string,
  options: Options = {},
): SecretStore<T> => ({ ...store<T>(collection, resource, options), keepsSecrets: true });
