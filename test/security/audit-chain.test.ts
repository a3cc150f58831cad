import { createChecks } from '../../src/modules/ledger-check/checks/checks.store.ts';
import { lookAtEverything } from '../../src/modules/ledger-check/look.ts';
import * as platform from '../../src/platform/platform.module.ts';
import type { AuditLink } from '../../src/platform/write-store/audit-chain.ts';
import { aCardRequest } from '../builders.ts';
import { type Client, operator, PATIENT, pollUntil } from '../support/client.ts';
import { useGateway } from '../support/gateway.ts';

const gateway = useGateway(PATIENT);

type Stored = { readonly _id: string };

let admin: Client;
const entries = () => gateway().db.collection<Stored & Record<string, unknown>>('audit_log');
const links = () => gateway().db.collection<AuditLink>('audit_links');

/** Every fault that the check of the whole ledger finds in the log, as `aspect subject`. */
const faults = async (): Promise<readonly string[]> => {
  const { db, container } = gateway();
  const check = createChecks({ db, scans: db, snapshot: container.get(platform.snapshot) }).filter(
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
