import fc from 'fast-check';
import { type Db, MongoClient } from 'mongodb';
import { createOwnEngines } from '../../support/own-engines.ts';
import { volume } from '../../support/volume.ts';
import { openMemoryStore } from './driver.ts';
import { Engine } from './engine.ts';
import { Held } from './errors.ts';
import type { Link } from './link.ts';
import { COLLECTIONS, createPlayer, type Step, story, UNIQUE } from './statements.ts';

const engines = createOwnEngines({
  elasticsearchNode: process.env.ELASTICSEARCH_NODE,
  redisUrl: process.env.REDIS_URL,
});
let client: MongoClient;
let real: Db;

/** Everything arrives at once, and a statement that would wait is left out on both sides. */
const link: Link = {
  send: async (_, __, apply) => apply(),
  held: async () => {
    throw new Held();
  },
};

const prepare = async (db: Pick<Db, 'collection' | 'createCollection'>): Promise<void> => {
  for (const name of COLLECTIONS) await db.createCollection(name);
  await db.collection(COLLECTIONS[0]).createIndex({ ...UNIQUE.key }, { ...UNIQUE.options });
};

jest.setTimeout(volume({ usual: 300_000, proof: 7_200_000 }));

beforeAll(async () => {
  await engines.start();
  client = await new MongoClient(engines.variables().MONGODB_URI).connect();
  real = client.db('differential');
  await prepare(real);
}, 300_000);

afterAll(async () => {
  await client.close();
  await engines.stop();
});

/** Answers of both sides, and their documents afterwards. */
const play = async (steps: readonly Step[]) => {
  for (const name of COLLECTIONS) await real.collection(name).deleteMany({});
  const memory = openMemoryStore(new Engine(() => 0), link, () => 0);
  await prepare(memory.db);
  const inMemory = createPlayer(memory.client, memory.db);
  const onServer = createPlayer(client, real);
  const outcomes: { readonly step: string; readonly memory: string; readonly server: string | null }[] = [];
  for (const step of steps) {
    const answer = await inMemory.take(step);
    if (answer === null) continue;
    const name = typeof step.what === 'string' ? step.what : step.what.name;
    outcomes.push({ step: `${step.by} ${name}`, memory: answer, server: await onServer.take(step) });
  }
  await inMemory.finish();
  await onServer.finish();
  const left = async (db: Pick<Db, 'collection'>): Promise<unknown[]> => {
    const all: unknown[] = [];
    for (const name of COLLECTIONS) all.push(await db.collection(name).find({}).sort({ _id: 1 }).toArray());
    return all;
  };
  return { outcomes, memory: await left(memory.db), server: await left(real) };
};

describe('the store in memory', () => {
  it('answers, refuses and keeps what the local server does, whatever transactions overlap', async () => {
    const seen = { conflicts: 0, duplicates: 0 };
    await fc.assert(
      fc.asyncProperty(story, async (steps) => {
        const { outcomes, memory, server } = await play(steps);
        expect(outcomes.map(({ step, memory: answer }) => `${step}: ${answer}`)).toEqual(
          outcomes.map(({ step, server: answer }) => `${step}: ${answer}`),
        );
        expect(memory).toEqual(server);
        if (outcomes.some(({ memory: answer }) => answer.startsWith('refused 112'))) seen.conflicts += 1;
        if (outcomes.some(({ memory: answer }) => answer.startsWith('refused 11000'))) seen.duplicates += 1;
      }),
      // Each story has two transactions.
      { numRuns: volume({ usual: 100, proof: 5_000 }), seed: volume({ usual: 7, proof: Date.now() }) },
    );
    expect(seen.conflicts).toBeGreaterThan(0);
    expect(seen.duplicates).toBeGreaterThan(0);
  });
});
