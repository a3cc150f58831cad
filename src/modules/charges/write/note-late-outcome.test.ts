import { aCharge, aPaymentState, aPixCharge } from '../../../../test/builders.ts';
import { systemContext } from '../../../kernel/event.ts';
import type { Charge } from './charge.ts';
import { createNoteLateOutcome, isCardRefused } from './note-late-outcome.ts';

const WAITING = aCharge({ status: 'authentication_required', version: 2 });

/** The notes that follow where news of a charge leads to this charge. */
const notedAfter = async (charge: Charge): Promise<readonly unknown[]> => {
  const noted: unknown[] = [];
  const record = createNoteLateOutcome({
    recordPaymentOutcome: async () => charge,
    cardTokens: {
      async noteLate(id, isRefused) {
        noted.push(id, isRefused);
      },
    },
  });
  expect(await record(WAITING, aPaymentState(), systemContext('test'))).toBe(charge);
  return noted;
};

it('news of a card payment counts for the address that made its token', async () => {
  const changed = { ...WAITING, version: 3 };
  expect(await notedAfter({ ...changed, status: 'refused' })).toEqual([WAITING.id, true]);
  expect(await notedAfter({ ...changed, status: 'paid' })).toEqual([WAITING.id, false]);
});

it.each<[string, Charge]>([
  ['that changes nothing', WAITING],
  ['of a payment that was known', { ...WAITING, status: 'paid' }],
  ['of a payer who gave up', { ...WAITING, version: 3, status: 'failed' }],
  ['of a payment in analysis', { ...WAITING, version: 3, status: 'in_analysis' }],
  ['of a Pix', { ...aPixCharge({ status: 'paid' }), version: 3 }],
])('news %s counts nothing', async (_, charge) => {
  expect(await notedAfter(charge)).toEqual([]);
});

it('nobody knows whether a card is refused while its payment is open', () => {
  const open = ['pending', 'in_analysis', 'authentication_required'] as const;
  expect(open.map((status) => isCardRefused({ status }))).toEqual([null, null, null]);
  expect((['paid', 'refused'] as const).map((status) => isCardRefused({ status }))).toEqual([false, true]);
});
