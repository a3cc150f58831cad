import { NOW } from '../../../test/builders.ts';
import { createFakeLogger } from '../../../test/fakes/logger.ts';
import { createAuditRound } from './audit-round.ts';
import type { Difference } from './read/check-charge.ts';
import type { GetDifferences } from './read/get-differences.ts';

const start = (found: readonly Difference[], owns: () => boolean = () => true) => {
  const { logger, lines } = createFakeLogger();
  const reports: (readonly [number, Date])[] = [];
  const retracted: true[] = [];
  const getDifferences: GetDifferences = async function* (progress) {
    for (const difference of found) {
      progress('balances', 1);
      yield difference;
    }
  };
  const round = createAuditRound({
    getDifferences,
    owns,
    clock: () => NOW,
    logger,
    report: (differences, at) => reports.push([differences, at]),
    retract: () => retracted.push(true),
  });
  return { round, lines, reports, retracted };
};

const difference: Difference = { kind: 'balance', subject: 'mer_1:test:BRL', message: 'is wrong' };

describe('the hourly audit', () => {
  const { signal } = new AbortController();

  it('leaves a worker alone that has just started', async () => {
    const { round, lines, reports } = start([difference]);
    expect(await round(signal)).toBe(false);
    expect([lines, reports]).toEqual([[], []]);
  });

  it('logs every difference and reports how many there are', async () => {
    const { round, lines, reports } = start([difference, difference]);
    await round(signal);
    await round(signal);
    expect(lines).toEqual(['error the ledger does not tie up', 'error the ledger does not tie up']);
    expect(reports).toEqual([[2, NOW]]);
  });

  it('reports that nothing is wrong', async () => {
    const { round, reports } = start([]);
    await round(signal);
    await round(signal);
    expect(reports).toEqual([[0, NOW]]);
  });

  it('is the work of one worker, and what others found before no longer counts', async () => {
    let owns = true;
    const { round, reports, retracted } = start([difference], () => owns);
    await round(signal);
    await round(signal);
    owns = false;
    await round(signal);
    expect(reports).toEqual([[1, NOW]]);
    expect(retracted).toEqual([true]);
  });

  it('ends in the middle when the worker stops', async () => {
    const { round, reports } = start([difference]);
    const controller = new AbortController();
    await round(controller.signal);
    controller.abort();
    await expect(round(controller.signal)).rejects.toBe(controller.signal.reason);
    expect(reports).toEqual([]);
  });
});
