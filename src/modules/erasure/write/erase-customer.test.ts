import { aCharge } from '../../../../test/builders.ts';
import { createFakeWriteStore } from '../../../../test/fakes/write-store.ts';
import { systemContext } from '../../../kernel/event.ts';
import { newId } from '../../../kernel/ids.ts';
import { CHARGES } from '../../charges/write/charge.store.ts';
import { createEraseCustomer } from './erase-customer.ts';
import { isErased } from './erasure.ts';

describe('an erasure of more charges than half a minute suffices for', () => {
  it('is 503 once that is over, is in the audit log, and goes on when it is repeated', async () => {
    const store = createFakeWriteStore();
    const charges = Array.from({ length: 5 }, () => aCharge({ id: newId('chg') }));
    for (const charge of charges) store.put(CHARGES, charge);
    let now = Date.now();
    const erase = createEraseCustomer({
      transact: store.transact,
      newId,
      clock: () => new Date(now),
      // The view may still return charges that are erased already.
      async findChargesOf() {
        return (async function* () {
          yield charges.slice(0, 2);
          yield charges.slice(2);
        })();
      },
      async findCustomersOf() {
        return (async function* () {})();
      },
      async findSessionsOf() {
        return (async function* () {})();
      },
      async forgetCustomer() {},
      eraseEvidenceOf: async () => [],
      async eraseHistory() {
        now += 12_000;
      },
    });
    const ask = () =>
      erase({ customer: { email: 'ana@example.test' }, livemode: false }, systemContext('test'));
    const erased = (): number =>
      charges.filter(({ id }) => {
        const found = store.find(CHARGES, id);
        return found !== null && isErased(found);
      }).length;

    await expect(ask()).rejects.toMatchObject({ statusCode: 503, headers: { 'Retry-After': '1' } });
    expect(erased()).toBe(3);
    expect(store.decisions().filter((one) => one.startsWith('audit'))).toEqual([
      'audit_entry customer.erased',
    ]);
    expect(await ask()).toMatchObject({ charges: 2 });
    expect(erased()).toBe(5);
  });
});
