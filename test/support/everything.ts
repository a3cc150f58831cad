import { Redis } from 'ioredis';
import type { ReadStore } from '../../src/platform/read-store/elastic.ts';
import type { Database } from '../../src/platform/write-store/database.ts';

/** The text of all documents in the write store, by collection. */
export const everythingInMongo = async (db: Database): Promise<Map<string, string>> => {
  const texts = new Map<string, string>();
  for (const { name } of await db.listCollections().toArray())
    texts.set(name, JSON.stringify(await db.collection(name).find().toArray()));
  return texts;
};

/** The text of all documents and definitions in the read store, by index. */
export const everythingInElastic = async ({ client, prefix }: ReadStore): Promise<Map<string, string>> => {
  const texts = new Map<string, string>();
  await client.indices.refresh({ index: `${prefix}*` });
  for (const [index, about] of Object.entries(await client.indices.get({ index: `${prefix}*` }))) {
    const { hits } = await client.search({ index, size: 10_000 });
    texts.set(index, JSON.stringify([about, hits.hits]));
  }
  return texts;
};

/** The text of all values in Redis that belong to a gateway with these variables, by key. */
export const everythingInRedis = async (
  variables: Readonly<Record<string, string>>,
): Promise<Map<string, string>> => {
  const redis = new Redis(variables.REDIS_URL ?? '');
  const texts = new Map<string, string>();
  for await (const keys of redis.scanStream({ match: `*${variables.KEY_PREFIX}*` })) {
    for (const key of keys as string[]) {
      const readers: Record<string, () => Promise<unknown>> = {
        string: () => redis.get(key),
        hash: () => redis.hgetall(key),
        list: () => redis.lrange(key, 0, -1),
        set: () => redis.smembers(key),
        zset: () => redis.zrangebyscore(key, '-inf', '+inf'),
        stream: () => redis.xrange(key, '-', '+'),
      };
      texts.set(key, JSON.stringify(await readers[await redis.type(key)]?.()));
    }
  }
  redis.disconnect();
  return texts;
};
