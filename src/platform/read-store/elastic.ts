import { Client, errors } from '@elastic/elasticsearch';
import type { ShardsOf } from './view-shards.ts';
import { WholeAnswers } from './whole-answers.ts';

export type ReadStore = {
  readonly client: Client;
  /** Prefix of every index and alias, so that several installations can share a cluster. */
  readonly prefix: string;
  /** The indexes into which each view was written last, by alias (view.ts). */
  readonly fed: Map<string, { readonly indexes: readonly string[]; readonly at: number }>;
  /** The number of shards of new indexes. */
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

/**
 * The status of an error that was answered; null where there was no answer. Texts of messages differ between versions.
 */
export const elasticStatus = (error: unknown): number | null =>
  error instanceof errors.ResponseError ? (error.statusCode ?? null) : null;

/** Whether the read store could not be reached or could not serve, as opposed to a fault of the request. */
export const isReadStoreDown = (error: unknown): boolean => {
  if (!(error instanceof errors.ElasticsearchClientError)) return false;
  const status = elasticStatus(error);
  return status === null || status === 404 || status === 429 || status >= 500;
};
