import { modules } from '../../src/main/modules.ts';
import type { Difference } from '../../src/modules/ledger-check/check.ts';
import type { TestGateway } from './gateway.ts';

/** Lets the gateway check its whole ledger now; returns the differences. */
export const checkLedger = async ({ container }: Pick<TestGateway, 'container'>): Promise<Difference[]> => {
  const found: Difference[] = [];
  await container.get(modules).ledgerCheck.checkEverything({
    onProgress: () => undefined,
    onDifference: (difference) => found.push(difference),
    restFactor: 0,
  });
  return found;
};
