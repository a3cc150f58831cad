import type { Difference } from '../../src/modules/reconciliation/check.ts';
import { CHECK_EVERYTHING } from '../../src/modules/reconciliation/reconciliation.module.ts';
import type { TestGateway } from './gateway.ts';

/** Has the gateway check its whole ledger now; returns what differs. */
export const checkLedger = async ({ container }: Pick<TestGateway, 'container'>): Promise<Difference[]> => {
  const found: Difference[] = [];
  await container.get(CHECK_EVERYTHING)({
    onProgress: () => undefined,
    onDifference: (difference) => found.push(difference),
    restFactor: 0,
  });
  return found;
};
