import { aPaidCharge, countingIds, later, NOW } from '../../../../test/builders.ts';
import { createFakeLogger } from '../../../../test/fakes/logger.ts';
import { createFakeWriteStore } from '../../../../test/fakes/write-store.ts';
import { timestamp } from '../../../kernel/clock.ts';
import { systemContext } from '../../../kernel/event.ts';
import { CHARGES } from '../../charges/write/charge.store.ts';
import type { Charge } from '../../charges/write/charge.ts';
import { createSettleDue } from './settle-due.ts';

const DUE_AT = timestamp(NOW);

/** A write store with charges of these ids, each with a part that is due. */
const setUp = (ids: readonly Charge['id'][]) => {
  const writeStore = createFakeWriteStore();
  const { logger, lines } = createFakeLogger();
  for (const id of ids)
    writeStore.put(CHARGES, aPaidCharge({ id, due: { delayDays: 0, firstAt: DUE_AT, nextAt: DUE_AT } }));
  const settleDue = createSettleDue({
    transact: writeStore.transact,
    async *findSettleable() {
      yield ids;
    },
    clock: () => NOW,
    newId: countingIds(),
    logger,
  });
  return {
    writeStore,
    lines,
    settle: (owns: (id: string) => boolean) =>
      settleDue({ until: later(1), scope: null, owns, stopping: null }, systemContext('settlement')),
    settled: () => writeStore.journals().map(({ referenceId }) => referenceId),
  };
};

describe('settling what is due', () => {
  it('leaves to other workers what is theirs, so that together they settle each charge once', async () => {
    const test = setUp(['chg_1', 'chg_2', 'chg_3']);
    const isSecond = (id: string): boolean => id === 'chg_2';
    expect(await test.settle(isSecond)).toEqual({ charges: 1, parts: 1 });
    expect(test.settled()).toEqual(['chg_2']);
    expect(await test.settle((id) => !isSecond(id))).toEqual({ charges: 2, parts: 2 });
    expect(test.settled()).toEqual(['chg_2', 'chg_1', 'chg_3']);
  });

  it('settles nothing twice where two workers believe that it is theirs', async () => {
    const test = setUp(['chg_1']);
    await test.settle(() => true);
    expect(await test.settle(() => true)).toEqual({ charges: 0, parts: 0 });
    expect(test.settled()).toEqual(['chg_1']);
  });
});
