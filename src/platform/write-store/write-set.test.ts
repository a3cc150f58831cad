import { type Resource, systemContext } from '../../kernel/event.ts';
import type { Store } from '../../kernel/store.ts';
import { GATEWAY_TENANT } from '../../kernel/tenant.ts';
import { storedIn } from './stored-resource.ts';
import { createPendingDocuments, createRecorder, type DocumentWrite, type StoredReads } from './write-set.ts';

type Notice = Resource & { readonly merchantId: string | null; readonly masterId: null };

const NOTICES: Store<Notice> = { collection: 'notices', resource: 'notice' };
const MERCHANT = 'mer_1';
const NOBODYS: Notice = { id: 'ntc_1', version: 1, merchantId: null, masterId: null };

const NOON = () => new Date('2026-01-02T12:00:00Z');

const recorderOn = (documents: Parameters<typeof createRecorder>[2]) =>
  createRecorder(
    { consumers: [], clock: NOON, realClock: NOON, findTenant: async () => MERCHANT },
    systemContext('test'),
    documents,
  );

/** Changes a document of the gateway into a merchant's, and then once more in the same command. */
const changeTwice = async ({ tx }: ReturnType<typeof recorderOn>): Promise<void> => {
  const read = await tx.get(NOTICES, NOBODYS.id);
  if (!read) throw new Error('there is no notice');
  const owned = await tx.record(NOTICES, read, {
    type: 'notice.owned',
    data: { ...read, merchantId: MERCHANT },
  });
  const again = await tx.update(NOTICES, owned, owned);
  await tx.update(NOTICES, again, again);
};

const STORED: StoredReads = {
  get: async <T extends Resource>() => storedIn<T>({ ...NOBODYS, tenantId: GATEWAY_TENANT }),
  getAll: async () => [],
};

describe('A document that a command changes more than once', () => {
  it('is found under the tenant that the change before has given it, where changes are stored at once', async () => {
    const writes: DocumentWrite[] = [];
    const put = async (write: DocumentWrite): Promise<void> => void writes.push(write);
    await changeTwice(recorderOn({ ...STORED, put, hold: put }));
    expect(writes.map(({ formerTenantId, tenantId }) => [formerTenantId, tenantId])).toEqual([
      [GATEWAY_TENANT, MERCHANT],
      [MERCHANT, MERCHANT],
      [MERCHANT, MERCHANT],
    ]);
  });

  it('is found under the tenant that it had before the command, where changes are stored together', async () => {
    const documents = createPendingDocuments(STORED, null);
    await changeTwice(recorderOn(documents));
    expect(documents.writes()).toMatchObject([
      { version: 1, formerTenantId: GATEWAY_TENANT, tenantId: MERCHANT },
    ]);
    expect(await documents.get(NOTICES, NOBODYS.id)).toMatchObject({
      resource: { version: 4, merchantId: MERCHANT },
      tenantId: MERCHANT,
    });
  });
});

describe('a document that a command holds', () => {
  const holding = async (isChanged: boolean) => {
    const documents = createPendingDocuments(STORED, null);
    const { tx, commit } = recorderOn(documents);
    const read = await tx.get(NOTICES, NOBODYS.id);
    if (!read) throw new Error('there is no notice');
    await tx.hold(NOTICES, read);
    if (isChanged) await tx.update(NOTICES, read, read);
    return { documents, commit };
  };

  it('is marked at the version that was read, and read as it was', async () => {
    const { documents, commit } = await holding(false);
    expect(documents.writes()).toMatchObject([
      { id: NOBODYS.id, version: 1, isPartial: true, fields: { heldBy: commit } },
    ]);
    expect(documents.reads()).toEqual([]);
    expect(storedIn({ ...NOBODYS, heldBy: commit }).resource).toEqual(NOBODYS);
  });

  it('needs no mark where the command changes it', async () => {
    const { documents } = await holding(true);
    expect(documents.writes().map(({ fields }) => fields)).toEqual([{ ...NOBODYS, version: 2 }]);
  });
});

describe('two changes of one document in one command', () => {
  type Reminder = Notice & { readonly reason?: string };

  const changed = async (store: Store<Reminder>): Promise<object | undefined> => {
    const documents = createPendingDocuments(STORED, null);
    const { tx } = recorderOn(documents);
    const read = await tx.get(store, NOBODYS.id);
    if (!read) throw new Error('there is no notice');
    const late = { ...read, reason: 'it is late' };
    const { reason: _, ...again } = await tx.record(store, read, { type: 'notice.late', data: late });
    await tx.record(store, again, { type: 'notice.ended', data: again });
    return documents.writes()[0]?.fields;
  };

  it('store what the second one says, without what it has left out', async () => {
    expect(await changed({ collection: 'notices', resource: 'notice' })).toEqual({ ...NOBODYS, version: 3 });
  });

  it('keep what the first one has added where the stored document may have more members', async () => {
    const store: Store<Reminder> = { collection: 'notices', resource: 'notice', keepsSecrets: true };
    expect(await changed(store)).toEqual({ ...NOBODYS, version: 3, reason: 'it is late' });
  });
});
