import { store } from '../../../kernel/store.ts';
import { collections, type Migration, whereTime } from '../../../platform/write-store/migrate.ts';
import { DOMAIN_EVENTS } from '../../../platform/write-store/write-set.ts';
import { ALERT_REASON, type Refund, type RefundEvent } from './refund.ts';

export const REFUNDS = store<Refund, RefundEvent>('refunds', 'refund');

export const refundMigrations: readonly Migration[] = [
  collections('120-refunds', {
    [REFUNDS.collection]: [
      // A second guard beside the charge's version: a charge has one refund that is pending or done.
      {
        key: { chargeId: 1 },
        unique: true,
        partialFilterExpression: { blocking: true },
        name: 'one_blocking_refund',
      },
      whereTime('reconcileAt'),
    ],
  }),
  // The index above leaves out refunds that failed.
  collections('121-refunds-of-a-charge', { [REFUNDS.collection]: [{ key: { chargeId: 1, createdAt: 1 } }] }),
  {
    // The words of an operator for an alert had been stored as the merchant's own reason.
    id: '236-reasons-of-alert-refunds',
    async up(db) {
      const ofAlert = { alertId: { $ne: null }, merchantReason: { $ne: ALERT_REASON } };
      await db.collection(REFUNDS.collection).updateMany(ofAlert, { $set: { merchantReason: ALERT_REASON } });
      await db
        .collection(DOMAIN_EVENTS)
        .updateMany(
          { resource: REFUNDS.resource, 'data.alertId': { $ne: null } },
          { $set: { 'data.merchantReason': ALERT_REASON } },
        );
    },
  },
];
