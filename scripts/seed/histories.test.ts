import { DAY_MS } from '../../src/kernel/durations.ts';
import type { DomainEvent } from '../../src/kernel/event.ts';
import { replaceFeeDefinitions } from '../../src/modules/merchants/write/fees.ts';
import { CHARGEBACK_ALERT_FEE, putSetting } from '../../src/modules/merchants/write/setting.ts';
import { aMerchant } from '../../test/builders.ts';
import { findMisbehaviour } from '../../test/model/behaviours.ts';
import { createHistories } from './histories.ts';
import { feesOf, type SeedMerchant } from './merchants.ts';
import { seededIds } from './seed-charges.ts';

const UNTIL = new Date('2026-06-15T12:00:00.000Z');
const FROM = new Date(UNTIL.getTime() - 180 * DAY_MS);

const seller = (number: number): SeedMerchant => {
  const merchant = aMerchant({ id: `mer_${number}`, status: 'active', companyTaxId: '11222333000181' });
  const fee = { amount: 25, currency: 'BRL' };
  const setting = putSetting(
    null,
    { id: `set_${number}`, merchantId: merchant.id, name: CHARGEBACK_ALERT_FEE, content: fee },
    FROM,
  );
  return {
    merchant,
    fees: { ...replaceFeeDefinitions(merchant.id, feesOf(0), FROM).data, version: 1 },
    settings: [{ ...setting.data, version: 1 }],
    defaultSplit: null,
    keyId: `key_${number}`,
    secretKey: 'sk_test_unused',
    finalStatus: 'active',
  };
};

describe('seeded histories', () => {
  it('record nothing that the model of charges does not know', async () => {
    const histories = createHistories({
      merchants: [seller(1), seller(2)],
      charges: 600,
      from: FROM,
      until: UNTIL,
      seed: 7,
      run: 1,
      newIdAt: seededIds(7, 1),
      operatorId: 'usr_1',
      holder: 'test',
    });
    const events: DomainEvent[] = [];
    for await (const { recorded } of histories.batches()) events.push(...recorded.events);
    expect(events.length).toBeGreaterThan(1_000);
    expect(findMisbehaviour(events)).toEqual([]);
  });
});
