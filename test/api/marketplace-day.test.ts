import { rmSync } from 'node:fs';
import type { Response } from 'supertest';
import { DAY_MS } from '../../src/kernel/durations.ts';
import { GATEWAY_TENANT } from '../../src/kernel/tenant.ts';
import { TENANT_COLLECTIONS } from '../../src/main/tenants.ts';
import * as platform from '../../src/platform/platform.module.ts';
import { nameTenants } from '../../src/platform/write-store/name-tenants.ts';
import { NO_MONGOS } from '../../src/platform/write-store/shard-store.ts';
import { aCardRequest, aPayoutFee, aSpreadFee } from '../builders.ts';
import { type Client, operator, withKey } from '../support/client.ts';
import { newDataDir } from '../support/data-dir.ts';
import { useGateway } from '../support/gateway.ts';
import { createLedgerTools } from '../support/ledger-tools.ts';
import { buildProgram, endPrograms, eventually, type Program, startProgram } from '../support/program.ts';
import { volume } from '../support/volume.ts';

const gateway = useGateway({ PROVIDER_TIMEOUT_MS: '30000' });
const KILLS = volume({ usual: 1, proof: 10 });
const dataDir = newDataDir('tenants');
beforeAll(buildProgram);
afterAll(async () => {
  await endPrograms();
  rmSync(dataDir, { recursive: true, force: true });
});
const { balanceOf, differences, statementOf } = createLedgerTools(gateway);

type Shop = { readonly id: string; readonly key: string };

/** Every line of a statement, oldest first: what moved in which bucket, and what was in it afterwards. */
const linesOf = async ({ id, key }: Shop): Promise<readonly string[]> =>
  (await statementOf(key, id)).map(
    ({ movement_type, bucket, amount, balanceAfter }) =>
      `${movement_type} ${bucket} ${amount} -> ${balanceAfter}`,
  );

describe('a day in a marketplace', () => {
  let admin: Client;
  let market: Shop;
  let bakery: Shop;
  let florist: Shop;
  let chargeId: string;

  const available = async ({ key }: Shop): Promise<number> => (await balanceOf(key)).available;
  const reserved = async ({ key }: Shop): Promise<number> => (await balanceOf(key)).reserved;
  const payout = async ({ id, key }: Shop, amount: number): Promise<string> =>
    (await withKey(gateway, key).post(`/v1/submerchants/${id}/payout-requests`, { amount }).expect(201)).body
      .id;
  const decide = async (id: string, what: string, body?: object): Promise<Response> =>
    admin.post(`/v1/admin/payout-requests/${id}/${what}`, body);

  it('begins with a master that takes 3 % by card, and 1.00 + 1 % of payouts', async () => {
    admin = await operator(gateway, 'test');
    const created = await gateway().createMaster();
    market = { id: created.id, key: created.testKey };
    await gateway().setFees(market.id, [aSpreadFee(), aPayoutFee(100, 1)]);
    const alertFee = { name: 'chargeback_alert_fee', content: { amount: 15.5, currency: 'BRL' } };
    await admin.post(`/v1/merchants/${market.id}/settings`, alertFee).expect(201);
  });

  it('goes on with two sub-merchants that it onboards and an operator lets in', async () => {
    const onboard = async (legalName: string, companyTaxId: string): Promise<Shop> => {
      const by = withKey(gateway, market.key);
      const fields = { legalName, companyTaxId, email: 'loja@example.test' };
      const { body } = await by.post('/v1/submerchants', fields).expect(201);
      expect(body).toMatchObject({ masterId: market.id, status: 'pre_approved' });
      await admin.post(`/v1/admin/submerchants/${body.id}/status`, { status: 'active' }).expect(200);
      const keys = await by.get(`/v1/submerchants/${body.id}/api-keys`).expect(200);
      return { id: body.id, key: keys.body.secretKey };
    };
    bakery = await onboard('Padaria do Bairro Ltda', '11.222.333/0001-81');
    florist = await onboard('Flores da Serra Ltda', '529.982.247-25');
  });

  it('sells for 200.00, of which 6.00 are spread and 194.00 are divided', async () => {
    const { body } = await withKey(gateway, market.key)
      .post(
        '/v1/charges',
        aCardRequest({
          amount: 200,
          split: [
            { merchantId: bakery.id as `mer_${string}`, percentage: 60 },
            { merchantId: florist.id as `mer_${string}`, percentage: 30 },
          ],
        }),
      )
      .expect(201);
    chargeId = body.id;
    expect(body).toMatchObject({
      status: 'paid',
      spread: 6,
      net: 194,
      split: [
        { merchantId: bakery.id, percentage: 60, amount: 116.4 },
        { merchantId: florist.id, percentage: 30, amount: 58.2 },
      ],
    });
    expect([await reserved(market), await reserved(bakery), await reserved(florist)]).toEqual([
      19_40, 116_40, 58_20,
    ]);
    expect([await available(market), await available(bakery), await available(florist)]).toEqual([0, 0, 0]);
  });

  it('settles, so that each can have its part', async () => {
    const until = new Date(Date.now() + 31 * DAY_MS).toISOString();
    await withKey(gateway, market.key).post('/v1/test-helpers/settlements/run', { until }).expect(200);
    expect([await available(market), await available(bakery), await available(florist)]).toEqual([
      19_40, 116_40, 58_20,
    ]);
    expect([await reserved(market), await reserved(bakery), await reserved(florist)]).toEqual([0, 0, 0]);
  });

  it('pays out 100.00 to the bakery, and not 60.00 to the florist, who has 58.20', async () => {
    const first = await payout(bakery, 100_00);
    expect((await decide(first, 'approve')).body).toMatchObject({
      status: 'approved',
      payoutFee: 2_00,
      netAmount: 98_00,
      externalAccountDetails: { type: 'pix', pixKey: '11222333000181' },
    });
    expect((await decide(first, 'transfer', { status: 'sent' })).body.transferStatus).toBe('sent');
    const second = await payout(florist, 60_00);
    expect((await decide(second, 'approve')).body).toMatchObject({
      statusCode: 422,
      code: 'INSUFFICIENT_BALANCE',
    });
    const rejected = await decide(second, 'reject', { rejectionReason: 'more than there is' });
    expect(rejected.body.status).toBe('rejected');
    expect([await available(market), await available(bakery), await available(florist)]).toEqual([
      19_40, 16_40, 58_20,
    ]);
  });

  it('ends with an alert, for which each gives its part back and the market pays the fee', async () => {
    const alert = await admin.post('/v1/admin/chargeback-alerts', { chargeId }).expect(201);
    expect(alert.body).toMatchObject({ charge: { status: 'pre_chargeback' }, fee: { amount: 15.5 } });
    // 19.40 - (200.00 - 116.40 - 58.20) - 15.50, and 16.40 - 116.40.
    expect([await available(market), await available(bakery), await available(florist)]).toEqual([
      -21_50, -100_00, 0,
    ]);
    const refused = await decide(await payout(bakery, 10_00), 'approve');
    expect([refused.status, refused.body.code]).toEqual([422, 'INSUFFICIENT_BALANCE']);
  });

  it('leaves every line in the statements, as computed by hand', async () => {
    expect(await linesOf(market)).toEqual([
      'charge reserved 200 -> 200',
      'charge_spread reserved -6 -> 194',
      'split_debit reserved -116.4 -> 77.6',
      'split_debit reserved -58.2 -> 19.4',
      'settlement reserved -19.4 -> 0',
      'settlement available 19.4 -> 19.4',
      'chargeback_alert_refund available -25.4 -> -6',
      'chargeback_alert_fee available -15.5 -> -21.5',
    ]);
    expect(await linesOf(bakery)).toEqual([
      'split_credit reserved 116.4 -> 116.4',
      'settlement reserved -116.4 -> 0',
      'settlement available 116.4 -> 116.4',
      'payout available -98 -> 18.4',
      'payout_fee available -2 -> 16.4',
      'chargeback_alert_refund available -116.4 -> -100',
    ]);
    expect(await linesOf(florist)).toEqual([
      'split_credit reserved 58.2 -> 58.2',
      'settlement reserved -58.2 -> 0',
      'settlement available 58.2 -> 58.2',
      'chargeback_alert_refund available -58.2 -> 0',
    ]);
    expect(await differences()).toEqual([]);
  });

  it('gives documents of an older version the same tenants, also where the naming was killed, and is not sharded here', async () => {
    const { db, container } = gateway();
    const tenants = async (): Promise<ReadonlyMap<string, unknown>> => {
      const found = new Map<string, unknown>();
      for (const name of TENANT_COLLECTIONS.keys())
        for (const { _id, tenantId } of await db.collection(name).find().toArray())
          found.set(`${name} ${_id}`, tenantId);
      return found;
    };
    const before = await tenants();
    expect(new Set(before.values())).toEqual(new Set([market.id, GATEWAY_TENANT]));
    const forget = async (): Promise<void> => {
      for (const name of TENANT_COLLECTIONS.keys())
        await db.collection(name).updateMany({}, { $unset: { tenantId: 1 } });
    };
    await forget();
    const killed = new AbortController();
    const counts: Record<string, number> = {};
    const naming = {
      db,
      collections: TENANT_COLLECTIONS,
      findTenant: container.get(platform.services).findTenant,
      onNamed: (collection: string, count: number) => {
        counts[collection] = count;
        if (collection === 'statement_lines') killed.abort();
      },
    };
    await expect(nameTenants({ ...naming, signal: killed.signal })).rejects.toThrow();
    expect(counts.charges).toBeGreaterThan(0);
    const { signal } = new AbortController();
    await nameTenants({ ...naming, signal });
    expect(counts).toMatchObject({ charges: 0, statement_lines: 0 });
    expect(await tenants()).toEqual(before);
    expect(await nameTenants({ ...naming, signal })).toBe(0);

    await forget();
    const start = (...given: readonly string[]): Program =>
      startProgram('dist/scripts/tenants.js', { ...gateway().variables, DATA_DIR: dataDir }, ...given);
    const sharding = start('shard');
    expect([await sharding.ended, sharding.stdout(), sharding.stderr()]).toEqual([1, '', `${NO_MONGOS}\n`]);
    expect(new Set((await tenants()).values())).toEqual(new Set([undefined]));
    for (let kill = 0; kill < KILLS; kill += 1) {
      const program = start();
      await eventually('it names some', () => program.stdout() !== '' || program.stderr() !== '');
      program.signal('SIGKILL');
      await program.ended;
    }
    const last = start();
    expect([await last.ended, last.stderr()]).toEqual([0, '']);
    expect(await tenants()).toEqual(before);
  });
});
