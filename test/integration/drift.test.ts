import { newCommitId, newId } from '../../src/kernel/ids.ts';
import { CHARGES_VIEW, type ChargeDocument } from '../../src/modules/charges/read/charge.view.ts';
import type { Charge } from '../../src/modules/charges/write/charge.ts';
import { REFUNDS_VIEW } from '../../src/modules/refunds/read/refund.view.ts';
import { createAwaitConsistency } from '../../src/platform/read-store/consistency.ts';
import { createDriftDetector } from '../../src/platform/read-store/drift.ts';
import { openReadStore, type ReadStore } from '../../src/platform/read-store/elastic.ts';
import { createViewKeeper } from '../../src/platform/read-store/fill-views.ts';
import { aliasOf, documentOf, routingOf, type View } from '../../src/platform/read-store/view.ts';
import { openWriteStore, type WriteStore } from '../../src/platform/write-store/mongo.ts';
import { OUTBOX, outboxRow } from '../../src/platform/write-store/outbox.ts';
import { withoutTenant } from '../../src/platform/write-store/stored-resource.ts';
import { aPaidCharge } from '../builders.ts';
import { createFakeLogger } from '../fakes/logger.ts';

/** Stores of one test alone. No worker carries writes from one to the other. */
let writeStore: WriteStore;
let readStore: ReadStore;
beforeEach(() => {
  const name = `drift-${newCommitId()}`;
  writeStore = openWriteStore(process.env.MONGODB_URI ?? '', name);
  readStore = openReadStore(process.env.ELASTICSEARCH_NODE ?? '', `${name}-`);
});
afterEach(async () => {
  const index = Object.keys(await readStore.client.indices.get({ index: `${readStore.prefix}*` }));
  await readStore.client.indices.delete({ index });
  await readStore.client.close();
  await writeStore.db.dropDatabase();
  await writeStore.client.close();
});

const charges = () => writeStore.db.collection<{ _id: string }>(CHARGES_VIEW.source.collection);
const put = (charge: Charge) => charges().replaceOne({ _id: charge.id }, { ...charge }, { upsert: true });
const view = CHARGES_VIEW as unknown as View;
const views = [view, REFUNDS_VIEW as unknown as View];

/** Charges of the write store in the order of their ids, all of them in the view. */
const given = async (count: number): Promise<readonly Charge[]> => {
  const made = Array.from({ length: count }, () => aPaidCharge({ id: newId('chg'), version: 3 }));
  for (const charge of made) await put(charge);
  const { logger } = createFakeLogger();
  const keeper = createViewKeeper({ db: writeStore.db, readStore, views, logger });
  await keeper.keep();
  await keeper.untilWhole();
  await readStore.client.indices.refresh({ index: `${readStore.prefix}*` });
  return made;
};

/** A detector that begins with the charges, what it said, and a way to let it see everything once. */
const aDetector = (sampleSize: number) => {
  const said: string[] = [];
  const { logger, lines } = createFakeLogger();
  const round = createDriftDetector({
    db: writeStore.db,
    readStore,
    views,
    awaitConsistency: createAwaitConsistency(writeStore.db, readStore),
    logger,
    sampleSize,
    report: {
      compared: (name, count) => said.push(`${name}: ${count} compared`),
      differed: (name, outcome, count) => count > 0 && said.push(`${name}: ${count} ${outcome}`),
    },
  });
  const pass = async (): Promise<void> => {
    // Damage is seen once searches find it.
    await readStore.client.indices.refresh({ index: aliasOf(readStore, view) });
    const isOver = () => said.some((line) => line.startsWith(REFUNDS_VIEW.name));
    for (let rounds = 0; rounds < 20 && !isOver(); rounds += 1) await round();
  };
  return { round, pass, said, lines };
};

type Shown = { readonly version: number | undefined; readonly document: ChargeDocument | undefined };
const shown = async (id: string): Promise<Shown | null> => {
  const { docs } = await readStore.client.mget<ChargeDocument>({
    index: aliasOf(readStore, view),
    ids: [id],
  });
  const [found] = docs as { found?: boolean; _version?: number; _source?: ChargeDocument }[];
  return found?.found ? { version: found._version, document: found._source } : null;
};
const asIs = (charge: Charge): Shown => ({
  version: charge.version,
  document: JSON.parse(JSON.stringify(documentOf(CHARGES_VIEW, withoutTenant(charge)))),
});
/** Changes a document behind everybody's back, under whatever version. */
const damage = (charge: Charge, version: number, changes: Partial<ChargeDocument>) =>
  readStore.client.index({
    index: aliasOf(readStore, view),
    id: charge.id,
    routing: String(routingOf(CHARGES_VIEW, withoutTenant(charge))),
    version,
    version_type: 'external_gte',
    document: { ...documentOf(CHARGES_VIEW, withoutTenant(charge)), ...changes },
  });

describe('a view that has drifted', () => {
  let all: readonly Charge[];
  beforeEach(async () => {
    all = await given(12);
  });
  const charge = (place: number): Charge => all[place] as Charge;

  it('is as the write store says again, whatever was wrong with it, after everything was looked at once', async () => {
    const index = aliasOf(readStore, view);
    await readStore.client.delete({ index, id: charge(0).id });
    await damage(charge(2), 3, { amount: 1 });
    await damage(charge(4), 1_000, { status: 'refused' });
    await damage(charge(6), 1_000, {});
    const alien = aPaidCharge({ id: newId('chg') });
    await damage(alien, 7, {});
    const nameless = { ...alien, id: `${charge(7).id}0` as Charge['id'] };
    await damage(nameless, 1, {});
    const behind = { ...charge(11), version: 4, net: 1 };
    await put(behind);
    await readStore.client.indices.refresh({ index });

    const { pass, said, lines } = aDetector(5);
    await pass();
    expect(await Promise.all(all.slice(0, 11).map(({ id }) => shown(id)))).toEqual(
      all.slice(0, 11).map(asIs),
    );
    expect(await shown(behind.id)).toEqual(asIs(behind));
    expect([await shown(alien.id), await shown(nameless.id)]).toEqual([null, null]);
    // Samples of five, with the aliens that lie between their ids.
    expect(said).toEqual([
      'charges: 3 repaired',
      'charges: 5 compared',
      'charges: 2 repaired',
      'charges: 6 compared',
      'charges: 2 repaired',
      'charges: 3 compared',
      'refunds: 0 compared',
    ]);
    expect(lines).toEqual(Array(3).fill('warn view differed from the write store'));
  });

  it('takes further changes under its own versions, also where a document had too high a one', async () => {
    await damage(charge(0), 1_000, {});
    const { pass } = aDetector(100);
    await pass();
    const next = { ...charge(0), version: 4, net: 2 };
    await put(next);
    await aDetector(100).pass();
    expect(await shown(next.id)).toEqual(asIs(next));
  });

  it('is left alone where a change is merely on its way, and looked at again', async () => {
    const changed = { ...charge(3), version: 4, net: 3 };
    await put(changed);
    const row = outboxRow('view-charges', newId('evt'), changed.id, newCommitId(), new Date());
    await writeStore.db.collection(OUTBOX).insertOne(row);
    const { round, said } = aDetector(100);
    await round();
    expect([await shown(changed.id), said]).toEqual([asIs(charge(3)), []]);

    await damage(changed, 4, {});
    await writeStore.db.collection(OUTBOX).deleteOne({ _id: row._id });
    await round();
    expect(said).toEqual(['charges: 12 compared']);
  });

  it('is walked on from the same place by another worker, and from the start again after the end', async () => {
    const first = aDetector(5);
    await first.round();
    const second = aDetector(5);
    await second.pass();
    expect([first.said, second.said]).toEqual([
      ['charges: 5 compared'],
      ['charges: 5 compared', 'charges: 2 compared', 'refunds: 0 compared'],
    ]);
    await first.round();
    await second.round();
    expect(first.said).toContain('charges: 5 compared');
  });

  it('counts what cannot be repaired, and goes on', async () => {
    const broken = { ...charge(1), version: 4, customer: null } as unknown as Charge;
    await put(broken);
    await readStore.client.delete({ index: aliasOf(readStore, view), id: charge(8).id });
    const { pass, said, lines } = aDetector(100);
    await pass();
    expect(said).toEqual([
      'charges: 1 failed',
      'charges: 1 repaired',
      'charges: 12 compared',
      'refunds: 0 compared',
    ]);
    expect(lines).toContain('error resource was not projected');
    expect(await shown(charge(8).id)).toEqual(asIs(charge(8)));
  });
});
