import type { Resource } from './event.ts';

/** Names where the documents of one kind of resource live. `T` is what they hold besides `_id`, which equals `id`. */
export type Store<T extends Resource> = {
  readonly collection: string;
  readonly resource: string;
  /** Set where every change goes to the audit log, whoever makes it; otherwise only operators' changes do. */
  readonly auditsEverybody?: true;
  /** Never set: carries the type. */
  readonly holds?: T;
};

export const store = <T extends Resource>(
  collection: string,
  resource: string,
  options: Pick<Store<T>, 'auditsEverybody'> = {},
): Store<T> => ({ collection, resource, ...options });
