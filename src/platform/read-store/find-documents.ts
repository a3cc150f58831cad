import type { ReadStore } from './elastic.ts';

/** A document of an index as a search finds it. */
export type FoundDocument = {
  readonly version: number;
  /** The routing value, where the document is not on the shard of its id. */
  readonly routing: string | undefined;
  readonly source: unknown;
};

/** The number of documents that one search asks for. */
const AT_ONCE = 5_000;

/**
 * The documents with these ids that a search can find, on whatever shards they are. An id that is on several shards
 * comes several times.
 */
export const findDocuments = async (
  { client }: ReadStore,
  index: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly FoundDocument[]>> => {
  const found = new Map<string, FoundDocument[]>();
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const values = ids.slice(start, start + AT_ONCE);
    const { hits } = await client.search({
      index,
      query: { ids: { values } },
      size: 2 * values.length,
      version: true,
      track_total_hits: false,
    });
    for (const { _id, _version = 0, _routing: routing, _source: source } of hits.hits)
      found.set(String(_id), [...(found.get(String(_id)) ?? []), { version: _version, routing, source }]);
  }
  return found;
};
