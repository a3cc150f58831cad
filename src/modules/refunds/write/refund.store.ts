import { store } from '../../../kernel/store.ts';
import {
  collections,
  indexesReplaced,
  type Migration,
  whereTime,
} from '../../../platform/write-store/migrate.ts';
import type { Refund } from './refund.ts';

export const REFUNDS = store<Refund>('refunds', 'refund');

const OPEN_REFUNDS = whereTime('reconcileAt');

export const refundMigrations: readonly Migration[] = [
  collections('120-refunds', {
    [REFUNDS.collection]: [
      // Says a second time what the charge's version says first: one refund a charge.
      {
        key: { chargeId: 1 },
        unique: true,
        partialFilterExpression: { blocking: true },
        name: 'one_blocking_refund',
      },
      OPEN_REFUNDS,
    ],
  }),
  // The one above leaves out refunds that came to nothing.
  collections('121-refunds-of-a-charge', { [REFUNDS.collection]: [{ key: { chargeId: 1, createdAt: 1 } }] }),
  indexesReplaced('122-refunds-with-an-open-end', REFUNDS.collection, {
    by: [OPEN_REFUNDS],
    former: ['reconcileAt_1'],
  }),
];
