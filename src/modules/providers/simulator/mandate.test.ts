import { aPayer, NOW } from '../../../../test/builders.ts';
import type { PlannedOrder } from '../provider.ts';
import { authorizePlanned } from './mandate.ts';
import type { SimulatedMandate } from './mandate-record.ts';

/** The simulator's answer to a retry of a charge under a mandate with this policy. */
const retryUnder = (retries: 'none' | 'three_in_seven_days') => {
  const mandate: SimulatedMandate = {
    ...{ _id: 'simm_1', status: 'active', failureReason: null, copyPaste: null, pays: 'always', cycles: {} },
    terms: { amount: 49_90, minimumAmount: null, startDate: '2026-01-01', endDate: null, retries },
    createdAt: NOW.toISOString(),
  };
  const store = {
    findPayment: async () => null,
    findMandate: async () => mandate,
    takeCycle: async () => true,
    insertPayment: async (stored: object) => ({ stored, isNew: true }),
  };
  const planned: PlannedOrder = {
    ...{ mandate: 'simm_1', dueDate: '2026-06-15', on: '2026-06-17', retryOf: 'chg_1' },
    askedAt: '2026-06-16T12:00:00.000Z',
  };
  const request = {
    ...{ reference: 'chg_2', amount: 49_90, currency: 'BRL', merchantName: 'Loja da Ana', returnUrl: null },
    ...{ merchantTimeZone: 'America/Sao_Paulo', payer: aPayer() },
    instrument: { type: 'pix', expiresAt: '2026-06-18T12:00:00.000Z', planned } as const,
  };
  const deps = {
    store: store as never,
    clock: () => NOW,
    answer: async <T>(result: T): Promise<T> => result,
  };
  return authorizePlanned(deps, request, planned);
};

it('takes a retry only under a mandate that allows one', async () => {
  expect(await retryUnder('three_in_seven_days')).toMatchObject({ status: 'pending' });
  expect(await retryUnder('none')).toMatchObject({ status: 'refused', failureReason: 'retry_not_allowed' });
});
