import type { Response } from 'supertest';
import { DAY_MS } from '../../src/kernel/durations.ts';
import { systemContext } from '../../src/kernel/event.ts';
import { modules } from '../../src/main/modules.ts';
import { CHARGES } from '../../src/modules/charges/write/charge.store.ts';
import type { Charge } from '../../src/modules/charges/write/charge.ts';
import { createChecks } from '../../src/modules/ledger-check/checks/checks.store.ts';
import { lookAtEverything } from '../../src/modules/ledger-check/look.ts';
import * as platform from '../../src/platform/platform.module.ts';
import { readResource } from '../../src/platform/write-store/read-resource.ts';
import { aCardRequest, aPayoutFee, aSpreadFee } from '../builders.ts';
import { checkLedger } from './check-ledger.ts';
import { createSubMerchant } from './client.ts';
import type { TestGateway } from './gateway.ts';
import {
  ALERT_FEE,
  ANTICIPATION_FIXED,
  ANTICIPATION_PER_MYRIAD,
  type Answer,
  type Driver,
  FEE_PER_CENT,
  PAYOUT_FEE,
} from './money-model.ts';

const TAX_ID = '11222333000181';
export const ANTICIPATION = {
  fee_type: 'anticipation',
  payment_method: 'credit_card',
  currency_code: 'BRL',
  brand: null,
  definition: {
    fixed: ANTICIPATION_FIXED / 100,
    percentages: ANTICIPATION_PER_MYRIAD.map((hundredths) => hundredths / 100),
  },
} as const;

/** Tools for tests of the ledger with a running gateway. */
export const createLedgerTools = (gateway: () => TestGateway) => {
  const CARDS: Readonly<Record<Answer, string>> = {
    refunded: '4242424242424242',
    pending: '4000000000007726',
    refused: '4000000000005423',
    failed: '4000000000003220',
  };
  const FINISH: Readonly<Record<Answer, string>> = {
    refunded: 'complete',
    refused: 'refuse',
    failed: 'fail',
    pending: 'none',
  };

  const post = async (key: string, path: string, body: object = {}): Promise<Response> =>
    gateway().call('post', path).auth(key, '').send(body);
  const admin = async (method: 'post' | 'put', path: string, body: object): Promise<Response> =>
    gateway()
      .call(method, path)
      .auth(await gateway().operatorToken('test'), { type: 'bearer' })
      .send(body);
  const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

  /** A merchant with a fee of 3 %, and a sub-merchant of it as its partner. */
  const aGroup = async () => {
    const merchant = await gateway().createMaster({ companyTaxId: TAX_ID });
    const partner = await createSubMerchant(gateway, merchant, { companyTaxId: TAX_ID });
    const definition = { fixed: 0, percentages: Array(12).fill(FEE_PER_CENT) };
    const payout = aPayoutFee(PAYOUT_FEE);
    await gateway().setFees(merchant.id, [aSpreadFee({ definition }), payout, ANTICIPATION]);
    await gateway().setFees(partner.id, [payout, ANTICIPATION]);
    await admin('post', `/v1/merchants/${merchant.id}/settings`, {
      name: 'chargeback_alert_fee',
      content: { amount: ALERT_FEE / 100, currency: 'BRL' },
    });
    return { merchant, partner };
  };

  /** Differences that a full check would find if all records were old. */
  const sweep = async (): Promise<readonly string[]> => {
    const { db, container } = gateway();
    const sweptBefore = new Date(Date.now() + 60_000);
    const checks = createChecks({
      db,
      scans: db,
      snapshot: container.get(platform.services).snapshot,
      sweptBefore,
    });
    const found: string[] = [];
    for await (const findings of lookAtEverything(checks, () => undefined))
      for (const { kind, message } of findings.flatMap((finding) => finding.differences))
        found.push(`${kind}: ${message}`);
    return found;
  };

  const differences = async (): Promise<readonly string[]> => {
    const found = (await checkLedger(gateway())).map(({ kind, message }) => `${kind}: ${message}`);
    // A sweep over old records and a look at the doubtful ones have to find the same.
    expect(new Set(await sweep())).toEqual(new Set(found));
    return found;
  };

  const balanceOf = async (key: string): Promise<{ available: number; reserved: number }> => {
    const { body } = await gateway().call('get', '/v1/balance').auth(key, '');
    const [{ available, reserved }] = body.data.length > 0 ? body.data : [{ available: 0, reserved: 0 }];
    return { available: Math.round(available * 100), reserved: Math.round(reserved * 100) };
  };

  /** Takes the steps over HTTP. The clock cannot be set there, so everything is paid on the first day. */
  const createDriver = ({ merchant, partner }: Awaited<ReturnType<typeof aGroup>>): Driver => {
    const refundIds = new Map<string, string>();
    const read = async (chargeId: string): Promise<Charge> => {
      const charge = await readResource(gateway().db, CHARGES, chargeId);
      if (!charge) throw new Error(`no charge ${chargeId}`);
      return charge;
    };
    const wasDone = (response: Response, status: number): boolean => {
      if (response.status === 422) return false;
      expect([response.status, response.body]).toEqual([status, expect.anything()]);
      return true;
    };
    return {
      goTo: () => 0,
      async pay({ amount, installments, share, answer }) {
        const request = aCardRequest({ amount: amount / 100 }, { number: CARDS[answer] });
        const { body } = await post(merchant.testKey, '/v1/charges', {
          ...request,
          paymentMethod: { ...request.paymentMethod, installments },
          ...(share > 0 ? { split: [{ merchantId: partner.id, percentage: share }] } : {}),
        });
        expect(body.status).toBe('paid');
        return body.id;
      },
      async settle(day) {
        const run = () =>
          post(merchant.testKey, '/v1/test-helpers/settlements/run', { until: inDays(day + 0.5) });
        while ((await run()).body.complete === false);
      },
      async payout(who, amount, fails) {
        const { testKey } = who === 'merchant' ? merchant : partner;
        const asked = await post(testKey, '/v1/payout-requests', { amount });
        expect([asked.status, asked.body]).toEqual([201, { id: expect.any(String) }]);
        const path = `/v1/admin/payout-requests/${asked.body.id}`;
        const isPaid = wasDone(await admin('post', `${path}/approve`, {}), 200);
        if (isPaid && fails) wasDone(await admin('post', `${path}/transfer`, { status: 'failed' }), 200);
        return isPaid;
      },
      async anticipate(who, request) {
        const { testKey } = who === 'merchant' ? merchant : partner;
        const body = 'amount' in request ? { amount: request.amount / 100, currency: 'BRL' } : { ...request };
        return wasDone(await post(testKey, '/v1/anticipations', body), 201);
      },
      async refund(chargeId) {
        const response = await post(merchant.testKey, '/v1/refunds', { chargeId, reason: 'sent back' });
        if (response.status === 201) refundIds.set(chargeId, response.body.id);
        return wasDone(response, 201);
      },
      async alert(chargeId) {
        const response = await admin('post', '/v1/admin/chargeback-alerts', { chargeId });
        if (response.status === 201) refundIds.set(chargeId, response.body.refund.id);
        return wasDone(response, 201);
      },
      async chargeback(chargeId) {
        return wasDone(await admin('post', `/v1/admin/charges/${chargeId}/chargeback`, {}), 200);
      },
      async report(chargeId) {
        const { id } = await read(chargeId);
        const context = systemContext('simulator');
        return gateway()
          .container.get(modules)
          .chargebacks.reportChargeback({ chargeId: id, pspRefId: `psp_${id}` }, context);
      },
      async finish(chargeId, as) {
        const refundId = refundIds.get(chargeId);
        if (refundId === undefined) return false;
        return wasDone(
          await post(merchant.testKey, `/v1/test-helpers/refunds/${refundId}/${FINISH[as]}`),
          200,
        );
      },
      async balances() {
        return { merchant: await balanceOf(merchant.testKey), partner: await balanceOf(partner.testKey) };
      },
      statusOf: async (chargeId) => (await read(chargeId)).status,
    };
  };

  /** Every entry of a merchant's statement, including everything that was done before. */
  const statementOf = async (key: string, merchantId: string): Promise<readonly Record<string, never>[]> => {
    const entries: Record<string, never>[] = [];
    for (let page = 1; ; page += 1) {
      const { body } = await gateway()
        .call('get', `/v1/statement?merchantId=${merchantId}&size=100&page=${page}&orderBy=createdAt`)
        .auth(key, '')
        .set('X-Consistency-Token', 'latest');
      entries.push(...body.data);
      if (page >= body.pages) return entries;
    }
  };

  return { aGroup, createDriver, differences, balanceOf, statementOf };
};
