import { store } from '../../../kernel/store.ts';
import { collections, type Migration, whereTime } from '../../../platform/write-store/migrate.ts';
import type { Refund } from './refund.ts';

export const REFUNDS = store<Refund>('refunds', 'refund');

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
      whereTime('reconcileAt'),
    ],
  }),
  // The one above leaves out refunds that came to nothing.
  collections('121-refunds-of-a-charge', { [REFUNDS.collection]: [{ key: { chargeId: 1, createdAt: 1 } }] }),
];
