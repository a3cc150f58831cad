import type { DomainEvent, Resource } from '../../src/kernel/event.ts';
import { newCommitId, newId } from '../../src/kernel/ids.ts';
import { sentEventOf } from '../../src/modules/webhooks/read/envelope.ts';
import { EVENTS_VIEW } from '../../src/modules/webhooks/read/event.view.ts';
import type { SentName } from '../../src/modules/webhooks/write/event-kinds.ts';
import { SENT_EVENTS, type SentEvent } from '../../src/modules/webhooks/write/sent-event.ts';
import { createAwaitConsistency } from '../../src/platform/read-store/consistency.ts';
import { createDriftDetector } from '../../src/platform/read-store/drift.ts';
import { openReadStore, type ReadStore } from '../../src/platform/read-store/elastic.ts';
import { createViewKeeper } from '../../src/platform/read-store/fill-views.ts';
import { findDifferences } from '../../src/platform/read-store/parity.ts';
import { forgetUnlessShown } from '../../src/platform/read-store/resources.ts';
import { aliasOf, type View } from '../../src/platform/read-store/view.ts';
import { openWriteStore, type WriteStore } from '../../src/platform/write-store/mongo.ts';
import { DOMAIN_EVENTS } from '../../src/platform/write-store/write-set.ts';
import { aMerchant, aPaidCharge, aRefund, NOW } from '../builders.ts';
import { createFakeLogger } from '../fakes/logger.ts';

/** Stores of one test alone, in which no worker works. */
let writeStore: WriteStore;
let readStore: ReadStore;
const view = EVENTS_VIEW as unknown as View;

const eventOf = (resource: string, type: string, data: Resource): DomainEvent => ({
  id: newId('evt'),
  type,
  resource,
  resourceId: data.id,
  version: data.version,
  at: NOW.toISOString(),
  actor: { kind: 'system', id: 'test' },
  requestId: 'test',
  data,
});
const refused = eventOf('charge', 'charge.refused', aPaidCharge({ postbackUrl: 'https://postback.test/' }));
const EVENTS = {
  paid: eventOf('charge', 'charge.paid', aPaidCharge()),
  refused,
  refund: eventOf('refund', 'refund.failed', aRefund()),
  anticipated: eventOf('charge', 'charge.anticipated', aPaidCharge()),
  merchant: eventOf('merchant', 'merchant.updated', aMerchant()),
};
const sent = (event: DomainEvent, name: SentName): SentEvent => {
  const made = sentEventOf(event, name);
  if (!made) throw new Error('nothing is sent');
  return made;
};
/** One event was sent, another one reached a postback under a name of its own. */
const SENT = [sent(EVENTS.paid, 'charge.paid'), sent(refused, 'charge.updated')] as const;
const LISTED = [EVENTS.paid.id, refused.id, EVENTS.refund.id, SENT[1].id].sort();

beforeEach(async () => {
  const name = `events-${newCommitId()}`;
  writeStore = openWriteStore(process.env.MONGODB_URI ?? '', name);
  readStore = openReadStore(process.env.ELASTICSEARCH_NODE ?? '', `${name}-`);
  const put = (collection: string, documents: readonly { readonly id: string }[]) =>
    writeStore.db
      .collection<{ _id: string }>(collection)
      .insertMany(documents.map((one) => ({ ...one, _id: one.id })));
  await put(DOMAIN_EVENTS, Object.values(EVENTS));
  await put(SENT_EVENTS.collection, SENT);
  const keeper = createViewKeeper({
    db: writeStore.db,
    readStore,
    views: [view],
    logger: createFakeLogger().logger,
  });
  await keeper.keep();
  await keeper.untilWhole();
});
afterEach(async () => {
  const index = Object.keys(await readStore.client.indices.get({ index: `${readStore.prefix}*` }));
  await readStore.client.indices.delete({ index });
  await readStore.client.close();
  await writeStore.db.dropDatabase();
  await writeStore.client.close();
});

const refresh = () => readStore.client.indices.refresh({ index: aliasOf(readStore, view) });
const shown = async (): Promise<readonly string[]> => {
  await refresh();
  const { hits } = await readStore.client.search({ index: aliasOf(readStore, view), size: 100 });
  return hits.hits.map(({ _id }) => String(_id)).sort();
};
const differences = async (): Promise<readonly string[]> => {
  const [index] = Object.keys(await readStore.client.indices.get({ index: aliasOf(readStore, view) }));
  const { signal } = new AbortController();
  return findDifferences({ db: writeStore.db, readStore, signal }, view, String(index), async () => {
    await refresh();
  });
};

describe('the view of events', () => {
  it('is filled with what was sent and with what nobody was told of, each once, and with nothing else', async () => {
    expect(await shown()).toEqual(LISTED);
    expect(await differences()).toEqual([]);
    await readStore.client.delete({ index: aliasOf(readStore, view), id: EVENTS.refund.id });
    await refresh();
    expect(await differences()).toEqual([`${EVENTS.refund.id} is missing or has another version`]);
  });

  it('is put right where it has drifted, whether or not the event was sent', async () => {
    const index = aliasOf(readStore, view);
    for (const id of [EVENTS.paid.id, EVENTS.refund.id, SENT[1].id])
      await readStore.client.delete({ index, id });
    const alien = newId('evt');
    await readStore.client.index({ index, id: alien, document: { id: alien } });
    await refresh();
    const said: string[] = [];
    const round = createDriftDetector({
      db: writeStore.db,
      readStore,
      views: [view],
      awaitConsistency: createAwaitConsistency(writeStore.db, readStore),
      logger: createFakeLogger().logger,
      sampleSize: 2,
      report: {
        compared: (_, count) => said.push(`${count} compared`),
        differed: (_, outcome, count) => count > 0 && said.push(`${count} ${outcome}`),
      },
    });
    // Two samples of what was sent, and three of the domain events.
    for (let rounds = 0; rounds < 5; rounds += 1) await round();
    expect(await shown()).toEqual(LISTED);
    expect(said).not.toContain('1 failed');
    expect(said.filter((line) => line.endsWith('compared'))).toHaveLength(5);
  });

  it('forgets an event of which neither the body nor the domain event is left', async () => {
    const { db } = writeStore;
    const forget = () => forgetUnlessShown({ db, readStore, view }, LISTED);
    const remove = (collection: string) => db.collection(collection).deleteMany({});
    await remove(SENT_EVENTS.collection);
    await forget();
    expect(await shown()).toEqual(LISTED.filter((id) => id !== SENT[1].id));
    await remove(DOMAIN_EVENTS);
    await forget();
    expect(await shown()).toEqual([]);
  });
});
