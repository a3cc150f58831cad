import type { Logger } from '../../../platform/logger.ts';
import { createLoop, type StartLoop } from '../../../platform/loop.ts';
import type { Metrics } from '../../../platform/metrics.ts';
import type { ListQuery } from '../../../platform/read-store/list-query.ts';
import type { ReadView } from '../../../platform/read-store/read-view.ts';
import { PAYOUT_REQUEST_LIST } from './list-payout-requests.ts';

const EVERY_MS = 60_000;

/** Filters of the list that find waiting requests, by what they wait for. */
const WAITING = {
  decision: { status: 'pending' },
  transfer: { status: 'approved', transferStatus: 'pending' },
} as const;

/** Counts the live payout requests that wait for a person. */
export const createWaitingLoop =
  (deps: {
    readonly readView: Pick<ReadView, 'search'>;
    readonly logger: Logger;
    readonly metrics: Pick<Metrics, 'payoutsWaiting'>;
  }): StartLoop =>
  () =>
    createLoop({
      name: 'payouts waiting',
      everyMs: EVERY_MS,
      logger: deps.logger,
      round: async () => {
        for (const [reason, filter] of Object.entries(WAITING)) {
          const query = { ...filter, page: 1, size: 1 } as ListQuery;
          const live = [{ term: { livemode: true } }];
          const { total } = await deps.readView.search(PAYOUT_REQUEST_LIST.search, live, query, null);
          deps.metrics.payoutsWaiting.set({ for: reason }, total);
        }
        return false;
      },
    });
