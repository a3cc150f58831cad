import type { Resource } from './event.ts';

/** Names where the documents of one kind of resource live. `T` is what they hold besides `_id`, which equals `id`. */
export type Store<T extends Resource> = {
  readonly collection: string;
  readonly resource: string;
  /** Never set: carries the type. */
  readonly holds?: T;
};

export const store = <T extends Resource>(collection: string, resource: string): Store<T> => ({
  collection,
  resource,
});
