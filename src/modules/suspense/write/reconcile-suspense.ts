import { systemContext } from '../../../kernel/event.ts';
import type { BookToMerchant } from './book-to-merchant.ts';
import type { SuspenseItem } from './suspense.ts';

/** Continues a return or a booking that a crash or a time-out left open. */
export const createReconcileSuspense =
  (deps: {
    readonly reconcileReturn: (item: SuspenseItem) => Promise<void>;
    readonly bookToMerchant: BookToMerchant;
  }) =>
  async (item: SuspenseItem): Promise<void> => {
    if (item.status === 'booking') await deps.bookToMerchant(item, systemContext('reconciler'));
    else await deps.reconcileReturn(item);
  };
