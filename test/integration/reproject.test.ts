import { rmSync } from 'node:fs';
import { copyCharges } from '../../scripts/seed/copy-charges.ts';
import { newId } from '../../src/kernel/ids.ts';
import { toDecimal } from '../../src/kernel/money.ts';
import { CHARGES_VIEW, type ChargeDocument } from '../../src/modules/charges/read/charge.view.ts';
import { CHARGES } from '../../src/modules/charges/write/charge.store.ts';
import * as platform from '../../src/platform/platform.module.ts';
import type { ReadStore } from '../../src/platform/read-store/elastic.ts';
import { ParityError, reproject } from '../../src/platform/read-store/reproject.ts';
import { aliasOf, listIndexes, type View, type ViewIndex } from '../../src/platform/read-store/view.ts';
import { parseViewShards } from '../../src/platform/read-store/view-shards.ts';
import { aPixRequest } from '../builders.ts';
import { type Client, PATIENT, withKey } from '../support/client.ts';
import { newDataDir } from '../support/data-dir.ts';
import { differencesWithin } from '../support/find-differences.ts';
import { useGateway } from '../support/gateway.ts';
import { buildProgram, endPrograms, eventually, type Program, startProgram } from '../support/program.ts';
import { someOf, volume } from '../support/volume.ts';

const COPIES = volume({ usual: 1_000, proof: 200_000 });
const LONG_MS = volume({ usual: 120_000, proof: 1_800_000 });
const PAGE = 100;
/** Shards of the view that `make reproject` builds; the gateway's own view has one. */
const SHARDS = 4;
const VIEW = CHARGES_VIEW as unknown as View;

const gateway = useGateway({ ...PATIENT, VIEW_SHARDS: '1' });
const dataDir = newDataDir('reproject');
let client: Client;
beforeAll(async () => {
  await buildProgram();
  client = withKey(gateway, (await gateway().createMerchant()).testKey);
}, 180_000);
afterEach(endPrograms);
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const indexes = async (): Promise<readonly ViewIndex[]> =>
  (await listIndexes(gateway().readStore, [VIEW])).get(VIEW.name) ?? [];
const serving = async (): Promise<string> => (await indexes()).find(({ isServing }) => isServing)?.name ?? '';
const inTheMaking = async (): Promise<string> =>
  (await indexes()).find(({ isFed, isServing }) => isFed && !isServing)?.name ?? '';
const shardsOf = async (index: string) =>
  (await gateway().readStore.client.indices.getSettings({ index }))[index]?.settings?.index?.number_of_shards;

/** A Pix charge that was paid and given back: five events and more. */
const createHistory = async (): Promise<{ readonly id: string; readonly token: string }> => {
  const { body } = await client.post('/v1/charges', aPixRequest()).expect(201);
  await client.post(`/v1/test-helpers/charges/${body.id}/pay`).expect(200);
  const { headers } = await client.post('/v1/refunds', { chargeId: body.id, reason: 'x' }).expect(201);
  return { id: body.id, token: headers['x-consistency-token'] ?? '' };
};
const listed = async () => (await client.getAfter('latest', `/v1/charges?size=${PAGE}`)).body;

describe('a view that is built anew', () => {
  const rebuild = (
    signal = new AbortController().signal,
    onProgress?: () => void,
    layout: Pick<ReadStore, 'shardsOf'> = { shardsOf: () => undefined },
  ) => {
    const { db, readStore, container } = gateway();
    const deps = {
      db,
      readStore: { ...readStore, ...layout },
      awaitConsistency: container.get(platform.services).awaitConsistency,
      logger: container.get(platform.services).logger,
    };
    return reproject(deps, VIEW, { signal, ...(onProgress ? { onProgress } : {}) });
  };

  it('is not served from an index that was cut short or differs; the next try goes on or begins again', async () => {
    await createHistory();
    await listed();
    const before = await serving();
    const stopping = new AbortController();
    expect(await rebuild(stopping.signal, () => stopping.abort())).toBeNull();
    expect(await serving()).toBe(before);
    const unfinished = await inTheMaking();

    const { readStore } = gateway();
    const { _source: document } = await readStore.client.get<ChargeDocument>({
      index: before,
      id: (await listed()).data[0].id,
    });
    if (!document) throw new Error('there is no charge');
    const put = (content: ChargeDocument) =>
      readStore.client.index({
        index: unfinished,
        id: content.id,
        document: content,
        version: 1_000,
        version_type: 'external',
      });
    await put({ ...document, id: newId('chg') });
    await put({ ...document, amount: document.amount + 1 });
    await expect(rebuild()).rejects.toThrow(ParityError);
    expect(await serving()).toBe(before);
    expect((await listed()).data[0].amount).toBe(toDecimal(document.amount, document.currency));

    const done = await rebuild();
    expect([before, unfinished]).not.toContain(done?.index);
    expect(await serving()).toBe(done?.index);
    expect(await differencesWithin(gateway(), 30_000)).toEqual([]);
  });

  it('moves to as many shards as an index template or the setting says (docs/scaling.md)', async () => {
    const { client: elastic, prefix } = gateway().readStore;
    await createHistory();
    const { data } = await listed();
    await elastic.indices.putIndexTemplate({
      name: `${prefix}charges`,
      index_patterns: [`${prefix}charges-v*`],
      template: { settings: { number_of_shards: 3 } },
    });
    const expectShards = async (index: string, shards: number): Promise<void> => {
      expect(await shardsOf(index)).toBe(String(shards));
      expect(await serving()).toBe(index);
      expect((await listed()).data).toEqual(data);
      expect(await differencesWithin(gateway(), 30_000)).toEqual([]);
    };
    const byTemplate = await rebuild();
    await elastic.indices.deleteIndexTemplate({ name: `${prefix}charges` });
    await expectShards(byTemplate?.index ?? '', 3);
    const bySetting = await rebuild(undefined, undefined, {
      shardsOf: parseViewShards('charges=4').of,
    });
    await expectShards(bySetting?.index ?? '', 4);
    // Another number after a start that was cut short counts at once.
    const stopping = new AbortController();
    const cutShort = rebuild(stopping.signal, () => stopping.abort(), { shardsOf: () => 2 });
    expect(await cutShort).toBeNull();
    const begun = await inTheMaking();
    expect(await shardsOf(begun)).toBe('2');
    const changed = await rebuild(undefined, undefined, { shardsOf: () => 3 });
    await expectShards(changed?.index ?? '', 3);
    expect(await indexes()).toContainEqual(expect.objectContaining({ name: begun, isFed: false }));
    await expectShards((await rebuild())?.index ?? '', 1);
  });
});

describe('make reproject', () => {
  const start = (variables: Readonly<Record<string, string>> = {}): Program =>
    startProgram('dist/scripts/reproject.js', {
      ...gateway().variables,
      DATA_DIR: dataDir,
      VIEW: VIEW.name,
      VIEW_SHARDS: `${VIEW.name}=${SHARDS}`,
      ...variables,
    });
  const finish = async (program: Program): Promise<void> => {
    expect([await program.ended, program.stderr()]).toEqual([0, expect.any(String)]);
  };

  /** Kills it as soon as it says what `at` looks for; again, should it be over by then. */
  const killAt = async (at: RegExp): Promise<void> => {
    for (;;) {
      const before = await serving();
      const program = start();
      let isOver = false;
      const ended = program.ended.finally(() => {
        isOver = true;
      });
      await eventually(`it says ${at}`, () => isOver || at.test(program.stderr()), LONG_MS);
      program.signal('SIGKILL');
      if ((await ended) === 'SIGKILL' && (await serving()) === before) return;
    }
  };

  /** Each id in the index and how often it is there; the write store's ids have to be the same. */
  const expectEachChargeOnce = async (): Promise<void> => {
    const { db, readStore } = gateway();
    const index = aliasOf(readStore, VIEW);
    const shown: string[] = [];
    for (let after: string | undefined; ; ) {
      const { hits } = await readStore.client.search<{ readonly id: string }>({
        index,
        size: 1_000,
        _source: ['id'],
        sort: [{ id: 'desc' }],
        ...(after ? { search_after: [after] } : {}),
      });
      const ids = hits.hits.map(({ _source }) => _source?.id ?? '');
      shown.push(...ids);
      after = ids.at(-1);
      if (ids.length < 1_000) break;
    }
    const stored = (await db.collection(CHARGES.collection).find({}, { batchSize: 5_000 }).toArray()).map(
      ({ id }) => id as string,
    );
    expect(shown.length).toBe(stored.length);
    const known = new Set(shown);
    expect(stored.filter((id) => !known.has(id))).toEqual([]);
  };

  it(
    'moves to another layout, also killed at any point, while the view serves all that is acknowledged',
    async () => {
      await createHistory();
      await copyCharges(gateway().db, COPIES);
      const before = await serving();
      const { total } = await listed();
      const acknowledged: Awaited<ReturnType<typeof createHistory>>[] = [];
      const failed: string[] = [];
      let reads = 0;
      let isOver = false;

      const write = async (): Promise<void> => {
        while (!isOver) acknowledged.push(await createHistory());
      };
      const read = async (): Promise<void> => {
        while (!isOver) {
          const { status, body } = await client.call('get', `/v1/charges?size=${PAGE}`);
          if (status !== 200) failed.push(`${status} ${JSON.stringify(body)}`);
          else if (body.total < total) failed.push(`${body.total} of ${total}`);
          else if (new Set(body.data.map(({ id }: { id: string }) => id)).size !== body.data.length)
            failed.push('a charge is there twice');
          reads += 1;
        }
      };
      const readOwnWrites = async (): Promise<void> => {
        for (let seen = total; !isOver; ) {
          const known = [...acknowledged];
          // Where the machine is busy the token may take more than its two seconds: that 503 is asked for again.
          const { body } = await client.getAfter(known.at(-1)?.token ?? 'latest', `/v1/charges?size=${PAGE}`);
          const ids = body.data.map(({ id }: { id: string }) => id);
          for (const { id } of known.slice(-PAGE / 2))
            if (!ids.includes(id)) failed.push(`${id} is not there`);
          if (body.total < Math.max(seen, total + known.length)) failed.push(`${body.total} after ${seen}`);
          seen = body.total;
          reads += 1;
        }
      };
      const work = Promise.all([write(), write(), read(), readOwnWrites()]);
      const reprojectWithKills = async (): Promise<void> => {
        for (const at of someOf([/charges \S+ [1-9]\d*\//, /comparing/], 1)) await killAt(at);
        expect(await serving()).toBe(before);
        const unfinished = await inTheMaking();
        const program = start();
        await finish(program);
        // It went on with the index that was in the making.
        expect(program.stderr()).toContain(`proven; served from ${unfinished}`);
        expect(await serving()).toBe(unfinished);
        expect([await shardsOf(before), await shardsOf(unfinished)]).toEqual(['1', String(SHARDS)]);
      };
      await reprojectWithKills().finally(() => {
        isOver = true;
      });
      await work;

      expect(failed).toEqual([]);
      expect(reads).toBeGreaterThan(10);
      expect((await listed()).total).toBe(total + acknowledged.length + COPIES);
      await expectEachChargeOnce();
      // Kept without updates until an operator drops it.
      expect(await indexes()).toContainEqual(
        expect.objectContaining({ name: before, isFed: false, isServing: false }),
      );
      await finish(start({ DROP_OLD: '1' }));
      expect((await indexes()).map(({ name }) => name)).toEqual([await serving()]);
    },
    LONG_MS * 3,
  );
});
