import { Client, errors } from '@elastic/elasticsearch';
import type { ShardsOf } from './view-shards.ts';
import { WholeAnswers } from './whole-answers.ts';

export type ReadStore = {
  readonly client: Client;
  /** Put before every index and alias name, so that several installations can share a cluster. */
  readonly prefix: string;
  /** The indexes that each view was written to a moment ago, by alias (view.ts). */
  readonly fed: Map<string, { readonly indexes: readonly string[]; readonly at: number }>;
  /** Shards of indexes that are made from now on. */
  readonly shardsOf: ShardsOf;
};

export const openReadStore = (
  node: string,
  prefix: string,
  shardsOf: ShardsOf = () => undefined,
): ReadStore => ({
  client: new Client({ node, requestTimeout: 10_000, maxRetries: 1, Transport: WholeAnswers }),
  prefix,
  fed: new Map(),
  shardsOf,
});

/** The status of an answered error, null where there was no answer. Message texts differ between versions. */
export const elasticStatus = (error: unknown): number | null =>
  error instanceof errors.ResponseError ? (error.statusCode ?? null) : null;

/** Whether the read store could not be reached or could not serve: its fault and not the request's. */
export const isReadStoreDown = (error: unknown): boolean => {
  if (!(error instanceof errors.ElasticsearchClientError)) return false;
  const status = elasticStatus(error);
  return status === null || status === 404 || status === 429 || status >= 500;
};
