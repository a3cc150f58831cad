import { createChainEntries } from '../../src/modules/audit/write/chain-entries.store.ts';
import { createChecks } from '../../src/modules/ledger-check/checks/checks.store.ts';
import { lookAtEverything } from '../../src/modules/ledger-check/look.ts';
import * as platform from '../../src/platform/platform.module.ts';
import type { AuditEntry } from '../../src/platform/write-store/audit.ts';
import {
  AUDIT_CHAIN,
  AUDIT_CHAIN_CONSUMER,
  AUDIT_CHAIN_KEY,
  type AuditChainHead,
  type AuditLink,
  type AuditSecret,
  EMPTY_AUDIT_CHAIN,
  extendChain,
} from '../../src/platform/write-store/audit-chain.ts';
import { aCardRequest } from '../builders.ts';
import { callAt } from '../support/call.ts';
import { type Client, operator, PATIENT, pollUntil } from '../support/client.ts';
import { startTestGateway, type TestGateway, useGateway } from '../support/gateway.ts';

const gateway = useGateway(PATIENT);

/** Members that say nothing of what happened: how often the entry was written, and where it lies. */
const NOT_HASHED: readonly string[] = ['version', 'tenantId'];

type Stored = { readonly _id: string };

let admin: Client;
const entries = () => gateway().db.collection<Stored & Record<string, unknown>>('audit_log');
const links = () => gateway().db.collection<AuditLink>('audit_links');
const heads = () => gateway().db.collection<AuditChainHead>(AUDIT_CHAIN);

type StoredEntry = AuditEntry & { readonly _id: string; readonly secret?: Partial<AuditSecret> };

/** The whole log as it is stored. */
type Log = {
  readonly entries: readonly StoredEntry[];
  readonly links: readonly AuditLink[];
  readonly head: AuditChainHead;
};
const readLog = async (): Promise<Log> => {
  const chain = await chained();
  const head = await heads().findOne({ _id: AUDIT_CHAIN_KEY });
  const all = (await entries().find().toArray()) as unknown as readonly StoredEntry[];
  const entryOf = new Map(all.map((entry) => [entry._id, entry]));
  const inOrder = chain.map(({ _id }) => entryOf.get(_id)).filter((entry) => entry !== undefined);
  if (!head || inOrder.length !== chain.length) throw new Error('the log is not whole');
  return { entries: inOrder, links: chain, head };
};
/** Replaces the log, as somebody may who may write everything. */
const writeLog = async (log: Log): Promise<void> => {
  await Promise.all([entries().deleteMany({}), links().deleteMany({}), heads().deleteMany({})]);
  await Promise.all([
    entries().insertMany([...log.entries] as never[]),
    links().insertMany([...log.links]),
    heads().insertOne(log.head),
  ]);
};
/** Faults that the check finds after an attack on the log, which is as before then. */
const attacked = async (attack: (log: Log) => Promise<void>): Promise<readonly string[]> => {
  const log = await readLog();
  try {
    await attack(log);
    return await faults();
  } finally {
    await writeLog(log);
  }
};
/** A log of these entries whose hashes are all right. */
const computedAnew = (of: readonly StoredEntry[]): Log => {
  const made = extendChain(
    EMPTY_AUDIT_CHAIN,
    of.map(({ secret = {}, ...entry }) => ({ entry, secret })),
  );
  return { entries: of, ...made };
};
/** An entry that was never recorded. */
const forgedAfter = (entry: StoredEntry): StoredEntry => ({ ...entry, _id: 'aud_forged', id: 'aud_forged' });

/** Every fault that the check of the whole ledger finds in the log, as `aspect subject`. */
const faults = async (): Promise<readonly string[]> => {
  const { db, container } = gateway();
  const check = createChecks({ db, scans: db, snapshot: container.get(platform.services).snapshot }).filter(
    ({ prefix }) => prefix === 'aud',
  );
  const found: string[] = [];
  for await (const findings of lookAtEverything(check, () => undefined))
    for (const { differences } of findings)
      found.push(...differences.map(({ aspect, subject }) => `${aspect} ${subject}`));
  return found;
};
/** The log once every entry has its place. */
const chained = async (): Promise<readonly AuditLink[]> => {
  await pollUntil(
    async () => [await links().countDocuments(), await entries().countDocuments()],
    ([placed, all]) => placed === all,
  );
  return links().find().sort({ seq: 1 }).toArray();
};

beforeAll(async () => {
  admin = await operator(gateway, 'test');
  const rename = (name: string) => admin.post('/v1/admin/groups', { name, permissions: [] }).expect(201);
  await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(rename));
}, 180_000);

describe('the chain of the audit log', () => {
  it('has a place for every entry, in the background, and a route says where it ends', async () => {
    const chain = await chained();
    expect(chain.map(({ seq }) => seq)).toEqual(chain.map((_, index) => index + 1));
    expect(await faults()).toEqual([]);
    const { body } = await admin.get('/v1/admin/audit-log/chain').expect(200);
    expect(body).toEqual({ entries: chain.length, hash: chain.at(-1)?.hash });
  });

  it.each<[string, Readonly<Record<string, unknown>>]>([
    ['type', { type: 'group.updated' }],
    ['actor', { actor: { kind: 'operator', id: 'usr_other' } }],
    ['address', { address: '192.0.2.1' }],
    ['after', { after: '{"permissions":["admin.users.update"]}' }],
  ])('names an entry whose %s was changed', async (member, changes) => {
    const [, , link] = await chained();
    const entry = await entries().findOne({ _id: link?._id ?? '' });
    if (!link || !entry) throw new Error('no entry');
    await entries().updateOne({ _id: link._id }, { $set: changes });
    expect(await faults()).toEqual([`${member === 'after' ? 'pictures' : 'changed'} ${link._id}`]);
    await entries().replaceOne({ _id: link._id }, entry);
    expect(await faults()).toEqual([]);
  });

  it('names an entry that was removed, with its place or without', async () => {
    const chain = await chained();
    const [, , link, next] = chain;
    const entry = await entries().findOne({ _id: link?._id ?? '' });
    if (!link || !next || !entry) throw new Error('no entry');
    await entries().deleteOne({ _id: link._id });
    expect(await faults()).toEqual([`removed ${link._id}`]);
    await links().deleteOne({ _id: link._id });
    expect(await faults()).toEqual([`gap ${next._id}`]);
    await links().insertOne(link);
    await entries().insertOne(entry);

    const last = chain.at(-1);
    if (!last) throw new Error('no entry');
    const end = await entries().findOne({ _id: last._id });
    await entries().deleteOne({ _id: last._id });
    await links().deleteOne({ _id: last._id });
    expect(await faults()).toEqual(['end audit']);
    await links().insertOne(last);
    if (end) await entries().insertOne(end);
    expect(await faults()).toEqual([]);
  });

  it('names entries that changed places, and one that was put in by the side', async () => {
    const [, , one, other] = await chained();
    if (!one || !other) throw new Error('no entry');
    await links().deleteMany({ _id: { $in: [one._id, other._id] } });
    await links().insertMany([
      { ...one, seq: other.seq },
      { ...other, seq: one.seq },
    ]);
    const moved = await faults();
    expect(moved).toContain(`moved ${one._id}`);
    expect(moved).toContain(`moved ${other._id}`);
    await links().deleteMany({ _id: { $in: [one._id, other._id] } });
    await links().insertMany([one, other]);

    const copy = await entries().findOne({ _id: one._id });
    if (!copy) throw new Error('no entry');
    await entries().insertOne({ ...copy, _id: 'aud_forged', id: 'aud_forged' });
    expect(await faults()).toEqual(['place aud_forged']);
    await entries().deleteOne({ _id: 'aud_forged' });
    expect(await faults()).toEqual([]);
  });

  it('holds after a customer was erased, and shows a change under that pretence', async () => {
    const { testKey } = await gateway().createMerchant();
    const { body: charge } = await gateway()
      .call('post', '/v1/charges')
      .auth(testKey, '')
      .send({ ...aCardRequest(), customer: { name: 'Quirina', email: 'quirina@example.test' } })
      .expect(201);
    await admin.post(`/v1/admin/charges/${charge.id}/chargeback`, {}).expect(200);
    const [confirmed] = await entries().find({ resourceId: charge.id }).toArray();
    await chained();
    await admin.post('/v1/admin/customers/erase', { email: 'quirina@example.test' }).expect(200);
    await chained();
    const erased = await entries().findOne({ _id: confirmed?._id ?? '' });
    if (!erased) throw new Error('no entry');
    expect(JSON.stringify(erased)).not.toContain('quirina');
    expect(erased).toMatchObject({ secret: {} });
    expect(await faults()).toEqual([]);
    await entries().updateOne({ _id: erased._id }, { $set: { after: '{"amount":1}' } });
    expect(await faults()).toEqual([`pictures ${erased._id}`]);
    await entries().replaceOne({ _id: erased._id }, erased);
  });
});

describe('somebody who may write to the database', () => {
  afterEach(async () => expect(await faults()).toEqual([]));

  it('changes no member of an entry unnoticed, however deep', async () => {
    const { entries: all, links: chain } = await readLog();
    const entry = all.find(({ details, after }) => details === null && after !== null);
    const link = chain.find(({ _id }) => _id === entry?._id);
    if (!entry || !link) throw new Error('no entry');
    const members = Object.keys(entry).filter(
      (name) => !['_id', 'actor', 'secret', 'details'].includes(name),
    );
    const changes = [
      ...[...members, 'actor.kind', 'actor.id', 'secret.salt'].map((name) => [name, 'another'] as const),
      ['details', { fault: 'another' }] as const,
    ];
    const unnoticed: string[] = [];
    for (const [name, value] of changes) {
      await entries().updateOne({ _id: entry._id }, { $set: { [name]: value } });
      if ((await faults()).length === 0) unnoticed.push(name);
      await entries().replaceOne({ _id: entry._id }, entry as never);
    }
    expect(unnoticed).toEqual(NOT_HASHED);
    for (const member of ['pictures', 'previousHash', 'hash']) {
      await links().updateOne({ _id: link._id }, { $set: { [member]: 'f'.repeat(64) } });
      expect([member, await faults()]).not.toEqual([member, []]);
      await links().replaceOne({ _id: link._id }, link);
    }
  });

  it('takes away neither the first entry nor one in between, even with its place', async () => {
    for (const at of [0, 3]) {
      const found = await attacked(async ({ links: chain }) => {
        await entries().deleteOne({ _id: chain[at]?._id ?? '' });
        await links().deleteOne({ seq: at + 1 });
      });
      expect(found).toHaveLength(1);
      expect(found[0]).toMatch(/^gap /);
    }
  });

  it('closes no gap by moving up what stood behind it', async () => {
    const found = await attacked(async ({ links: chain }) => {
      const [, , removed, ...behind] = chain;
      await entries().deleteOne({ _id: removed?._id ?? '' });
      await links().deleteMany({ seq: { $gte: 3 } });
      await links().insertMany(behind.map((link) => ({ ...link, seq: link.seq - 1 })));
    });
    expect(found.some((fault) => fault.startsWith('moved '))).toBe(true);
  });

  it('puts no entry between two others, though its own hash is right', async () => {
    const found = await attacked(async ({ entries: all, links: chain, head }) => {
      const [one, two] = chain;
      const entry = forgedAfter(all[1] as StoredEntry);
      const {
        links: [link],
      } = extendChain({ ...head, seq: two?.seq ?? 0, hash: two?.hash ?? '' }, [
        { entry, secret: entry.secret ?? {} },
      ]);
      if (!one || !link) throw new Error('no entry');
      await entries().insertOne(entry as never);
      const behind = chain.slice(2);
      await links().deleteMany({ seq: { $gte: 3 } });
      await links().insertMany([link, ...behind.map((moved) => ({ ...moved, seq: moved.seq + 1 }))]);
    });
    expect(found.some((fault) => fault.startsWith('moved '))).toBe(true);
  });

  it('puts no entry behind the last, though it follows by its hash', async () => {
    const found = await attacked(async ({ entries: all, head }) => {
      const entry = forgedAfter(all[1] as StoredEntry);
      const { links: made } = extendChain(head, [{ entry, secret: entry.secret ?? {} }]);
      await entries().insertOne(entry as never);
      await links().insertMany([...made]);
    });
    expect(found).toEqual(['end aud_forged']);
  });

  it('moves the end neither back nor away', async () => {
    const back = await attacked(async ({ links: chain }) => {
      const { seq, hash } = chain[2] as AuditLink;
      await heads().updateOne({ _id: AUDIT_CHAIN_KEY }, { $set: { seq, hash } });
    });
    const away = await attacked(async () => {
      await heads().deleteOne({ _id: AUDIT_CHAIN_KEY });
    });
    for (const found of [back, away]) expect(found).toEqual([expect.stringMatching(/^end aud_/)]);
  });

  it('computes all of it anew, which nothing shows but the hash that is kept elsewhere', async () => {
    const kept = (await admin.get('/v1/admin/audit-log/chain').expect(200)).body;
    let shown: unknown;
    const whole = await attacked(async ({ entries: all }) => {
      await writeLog(
        computedAnew(all.map((entry, at) => (at === 2 ? { ...entry, type: 'user.created' } : entry))),
      );
      shown = (await admin.get('/v1/admin/audit-log/chain').expect(200)).body;
    });
    expect(whole).toEqual([]);
    expect(shown).toMatchObject({ entries: kept.entries });
    expect(shown).not.toEqual(kept);

    const shortened = await attacked(async ({ entries: all }) => {
      await writeLog(computedAnew(all.slice(0, -1)));
      shown = (await admin.get('/v1/admin/audit-log/chain').expect(200)).body;
    });
    expect(shortened).toEqual([]);
    expect(shown).toMatchObject({ entries: kept.entries - 1 });
  });
});

describe('two processes that give entries their places at once', () => {
  let other: TestGateway;
  beforeAll(async () => {
    other = await startTestGateway({ ...gateway().variables, ROLE: 'all' });
  }, 180_000);
  afterAll(() => other.stop({ keepData: true }));

  it('give each entry one, in one chain, whoever comes first', async () => {
    const { entries: all, links: chain } = await readLog();
    const [, last] = chain;
    if (!last) throw new Error('no entry');
    await links().deleteMany({ seq: { $gt: last.seq } });
    await heads().replaceOne({ _id: AUDIT_CHAIN_KEY }, { seq: last.seq, hash: last.hash });
    const rows = all
      .slice(last.seq)
      .map(({ _id }) => ({ subject: _id, key: AUDIT_CHAIN_KEY, consumer: AUDIT_CHAIN_CONSUMER }));
    const handlers = [gateway().container, other.container].map((container) =>
      createChainEntries({
        db: container.get(platform.services).db,
        transact: container.get(platform.services).transact,
      }),
    );
    await Promise.all([...handlers, ...handlers].map((handle) => handle(rows as never)));
    expect((await chained()).map(({ seq }) => seq)).toEqual(chain.map(({ seq }) => seq));
    expect(await faults()).toEqual([]);
  });

  it('keep up with both, whose commands come at the same time', async () => {
    const before = (await chained()).length;
    const admins = [gateway().url, other.url];
    const token = await gateway().operatorToken('test');
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        callAt(admins[at % 2] ?? '', 'post', '/v1/admin/groups')
          .auth(token, { type: 'bearer' })
          .send({ name: `raced ${at}`, permissions: [] }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
    const chain = await chained();
    expect(chain.map(({ seq }) => seq)).toEqual(Array.from({ length: before + 20 }, (_, at) => at + 1));
    expect(await faults()).toEqual([]);
  });
});
