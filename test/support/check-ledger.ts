import type { Difference } from '../../src/modules/ledger-check/check.ts';
import * as ledgerCheck from '../../src/modules/ledger-check/ledger-check.module.ts';
import type { TestGateway } from './gateway.ts';

/** Has the gateway check its whole ledger now; returns what differs. */
export const checkLedger = async ({ container }: Pick<TestGateway, 'container'>): Promise<Difference[]> => {
  const found: Difference[] = [];
  await container.get(ledgerCheck.checkEverything)({
    onProgress: () => undefined,
    onDifference: (difference) => found.push(difference),
    restFactor: 0,
  });
  return found;
};
