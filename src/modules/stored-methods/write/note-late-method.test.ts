import { aStoredCard } from '../../../../test/builders.ts';
import { aStoredState } from '../../../../test/fakes/provider.ts';
import { systemContext } from '../../../kernel/event.ts';
import { createNoteLateMethod } from './note-late-method.ts';
import type { StoredMethod } from './stored-method.ts';

/** The notes that follow where news of a card leads to this method. */
const notedAfter = async (
  changes: Partial<StoredMethod>,
  isChargedNext = false,
): Promise<readonly unknown[]> => {
  const noted: unknown[] = [];
  const after = aStoredCard(changes);
  const record = createNoteLateMethod({
    recordStoredState: async () => after,
    cardTokens: {
      async noteLate(id, isRefused) {
        noted.push(id, isRefused);
      },
    },
    chargedNext: [async () => false, async () => isChargedNext],
  });
  expect(await record(aStoredCard(), aStoredState(), systemContext('test'))).toBe(after);
  return noted;
};

const ON_A_PAGE = { checkoutSessionId: 'chk_1' } as const;

it('news of a card counts for the address that made its token, or opened its page', async () => {
  expect(await notedAfter({ status: 'active' })).toEqual(['pm_1', false]);
  expect(await notedAfter({ status: 'failed', failureReason: 'card_declined' })).toEqual(['pm_1', true]);
  expect(await notedAfter({ ...ON_A_PAGE, status: 'active' })).toEqual(['chk_1', false]);
});

it('a card with which its holder subscribes counts with its first charge, unless the bank refuses it before', async () => {
  expect(await notedAfter({ ...ON_A_PAGE, status: 'active' }, true)).toEqual([]);
  const refused = { ...ON_A_PAGE, status: 'failed', failureReason: 'card_declined' } as const;
  expect(await notedAfter(refused, true)).toEqual(['chk_1', true]);
});

it.each<[string, Partial<StoredMethod>]>([
  ['whose holder is at the bank', { status: 'pending' }],
  ['whose holder did not come back', { status: 'failed', failureReason: 'authentication_expired' }],
  ['that its provider never had', { status: 'failed', failureReason: 'not_stored' }],
])('a card %s counts nothing', async (_, changes) => {
  expect(await notedAfter(changes)).toEqual([]);
});
