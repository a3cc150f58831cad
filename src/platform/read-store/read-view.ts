import type { estypes } from '@elastic/elasticsearch';
import type { Principal } from '../../kernel/principal.ts';
import type { AwaitConsistency } from './consistency.ts';
import type { ReadStore } from './elastic.ts';
import type { List, ListQuery, Page } from './list.ts';
import { scopeOf } from './scope.ts';
import type { View } from './view.ts';
import { whileAnswering } from './while-answering.ts';

/** What a list shows: which view's documents, by which sorting and filters, in which form. */
export type Listing<D, P> = {
  readonly list: List;
  readonly view: View;
  present(document: D): P;
};

/** A caller, who sees what is its own in its environment, or what a search is restricted to. */
export type Scope = Principal | readonly estypes.QueryDslQueryContainer[];

/** A list for a caller: the page that a validated query asks for, no older than the consistency token. */
export type ListFor<P> = (
  principal: Principal,
  query: ListQuery,
  consistencyToken: string | null,
) => Promise<Page<P>>;

/** All that a list is asked for, whatever its page, batch by batch. */
export type ScanFor<P> = (
  principal: Principal,
  query: ListQuery,
  consistencyToken: string | null,
) => Promise<AsyncIterable<readonly P[]>>;

/** Reads views, whole and no older than the consistency token; 503 where that takes more than two seconds. */
export type ReadView = {
  /** Waits until the view holds everything that it should, and what the token stands for. */
  ready(view: View, consistencyToken: string | null): Promise<void>;
  page<D, P>(
    listing: Listing<D, P>,
    scope: Scope,
    query: ListQuery,
    consistencyToken: string | null,
  ): Promise<Page<P>>;
  all<D, P>(
    listing: Listing<D, P>,
    scope: Scope,
    query: ListQuery,
    consistencyToken: string | null,
  ): Promise<AsyncIterable<readonly P[]>>;
};

export const createReadView = (deps: {
  readonly readStore: ReadStore;
  readonly viewReady: (view: View) => Promise<void>;
  readonly awaitConsistency: AwaitConsistency;
}): ReadView => {
  const getReady: ReadView['ready'] = async (view, consistencyToken) => {
    await deps.viewReady(view);
    await deps.awaitConsistency(view, consistencyToken);
  };
  const ready: ReadView['ready'] = (view, consistencyToken) =>
    whileAnswering(deps.readStore, getReady(view, consistencyToken));
  const search = async <D>(
    { list, view }: { readonly list: List; readonly view: View },
    scope: Scope,
    query: ListQuery,
    consistencyToken: string | null,
  ): Promise<Page<D>> => {
    await getReady(view, consistencyToken);
    return list.search<D>(deps.readStore, view, query, filtersOf(scope));
  };
  return {
    ready,
    async page<D, P>(
      { list, view, present }: Listing<D, P>,
      scope: Scope,
      query: ListQuery,
      consistencyToken: string | null,
    ) {
      const searched = search<D>({ list, view }, scope, query, consistencyToken);
      const page = await whileAnswering(deps.readStore, searched);
      return { ...page, data: page.data.map((document) => present(document)) };
    },
    async all<D, P>(
      { list, view, present }: Listing<D, P>,
      scope: Scope,
      query: ListQuery,
      consistencyToken: string | null,
    ) {
      await ready(view, consistencyToken);
      return presentBatches(list.scan<D>(deps.readStore, view, query, filtersOf(scope)), present);
    },
  };
};

const filtersOf = (scope: Scope): readonly estypes.QueryDslQueryContainer[] =>
  'kind' in scope ? scopeOf(scope) : scope;

async function* presentBatches<D, P>(
  batches: AsyncIterable<readonly D[]>,
  present: (document: D) => P,
): AsyncGenerator<readonly P[]> {
  for await (const batch of batches) yield batch.map((document) => present(document));
}
