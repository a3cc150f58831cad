import { aCharge, later, NOW } from '../../../../test/builders.ts';
import { createFakeWriteStore } from '../../../../test/fakes/write-store.ts';
import { systemContext } from '../../../kernel/event.ts';
import { newId } from '../../../kernel/ids.ts';
import type { OperatorPrincipal } from '../../../kernel/principal.ts';
import { CHARGES } from '../../charges/write/charge.store.ts';
import type { Charge } from '../../charges/write/charge.ts';
import { SUSPENSE_ITEMS } from '../../suspense/write/suspense.store.ts';
import { suspenseIdOf } from '../../suspense/write/suspense.ts';
import { createCloseDispute } from './close-dispute.ts';
import { disputeIdOf, openDispute } from './dispute.ts';
import { DISPUTES } from './disputes.store.ts';

const OPERATOR: OperatorPrincipal = {
  kind: 'operator',
  actor: { kind: 'user', id: 'usr_1' },
  credential: 'user',
  userId: 'usr_1',
  livemode: false,
  permissions: [],
};

/** Lets the dispute of a charge be won; returns the money that is held then. */
const win = async (changes: Partial<Charge>) => {
  const store = createFakeWriteStore();
  const charge = aCharge({ livemode: false, status: 'chargeback', ...changes });
  store.put(CHARGES, charge);
  store.put(DISPUTES, { ...openDispute(charge, null, NOW).data, version: 1 });
  const close = createCloseDispute({ transact: store.transact, clock: () => later(60), newId });
  const id = disputeIdOf(charge.id);
  await close({ principal: OPERATOR, id, outcome: 'won' }, systemContext('test'));
  const { provider, livemode, amount, currency, merchantId } = charge;
  const sum = { livemode, provider, amount, currency, merchantId, accountOwnerId: null, pspRefId: null };
  const money = { ...sum, reference: charge.id, chargeId: charge.id, direction: 'in' } as const;
  return store.find(SUSPENSE_ITEMS, suspenseIdOf({ ...money, reason: 'chargeback_reversed' }));
};

describe('the money of a dispute that was won', () => {
  it('is held for an operator to book it', async () => {
    expect(await win({})).toMatchObject({ status: 'held', direction: 'in', accountOwnerId: null });
  });

  it('is on the account of the merchant that collected the charge', async () => {
    expect(await win({ collectedBy: 'mer_owner' })).toMatchObject({ accountOwnerId: 'mer_owner' });
  });
});
