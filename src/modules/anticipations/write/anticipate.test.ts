import { aMerchant, aMethodFee, aPaidCharge, countingIds, later, NOW } from '../../../../test/builders.ts';
import { createFakeWriteStore } from '../../../../test/fakes/write-store.ts';
import { timestamp } from '../../../kernel/clock.ts';
import { systemContext } from '../../../kernel/event.ts';
import { MERCHANT_PERMISSIONS } from '../../../kernel/principal.ts';
import { CHARGES } from '../../charges/write/charge.store.ts';
import { FEE_DEFINITIONS } from '../../merchants/write/fees.ts';
import { MERCHANTS } from '../../merchants/write/merchant.ts';
import { anticipateParts } from '../../settlement/write/settlement.ts';
import { createAnticipate } from './anticipate.ts';
import { hasReserved } from './anticipation.ts';

const dueAt = timestamp(later(30 * 86_400));
const aCharge = (id: `chg_${string}`) =>
  aPaidCharge({
    id,
    settlement: { parts: 1, settled: 0 },
    due: { delayDays: 30, firstAt: dueAt, nextAt: dueAt },
  });

it('an anticipation by amount that loses its charge to another one searches anew', async () => {
  const store = createFakeWriteStore();
  const merchant = aMerchant();
  store.put(MERCHANTS, merchant);
  const definitions = [
    aMethodFee({ fee_type: 'anticipation', definition: { fixed: 0.5, percentages: [2] } }),
  ];
  store.put(FEE_DEFINITIONS, { id: merchant.id, version: 1, definitions, updatedAt: timestamp(NOW) });
  for (const id of ['chg_1', 'chg_2'] as const) store.put(CHARGES, aCharge(id));
  const anticipate = createAnticipate({
    transact: store.transact,
    clock: () => NOW,
    newId: countingIds(),
    // Returns only the charge that is due soonest, as if more were due than one anticipation takes.
    findReservedFor: async () => {
      const charges = ['chg_1', 'chg_2'].flatMap((id) => store.find(CHARGES, id) ?? []);
      return { charges: charges.filter((one) => hasReserved(one, merchant.id)).slice(0, 1), until: null };
    },
  });
  store.collide(() => {
    const { data } = anticipateParts(aCharge('chg_1'), merchant.id, 1);
    store.put(CHARGES, { ...data, version: data.version + 1 });
  });
  const { charges } = await anticipate(
    {
      principal: {
        kind: 'merchant',
        actor: { kind: 'key', id: 'key_1' },
        credential: 'secret_key',
        merchantId: merchant.id,
        masterId: null,
        livemode: false,
        permissions: MERCHANT_PERMISSIONS,
      },
      request: { amount: 1_000_00, currency: 'BRL' },
    },
    systemContext('test'),
  );
  expect(charges.map(({ chargeId }) => chargeId)).toEqual(['chg_2']);
});
