import type { ChargeId } from '../../../kernel/ids.ts';
import { type Store, store } from '../../../kernel/store.ts';
import type { TenantId } from '../../../kernel/tenant.ts';
import type { Database } from '../../../platform/write-store/database.ts';
import { collections, type Migration } from '../../../platform/write-store/migrate.ts';
import { RESOURCE_ONLY } from '../../../platform/write-store/mongo.ts';
import { ofTenant } from '../../../platform/write-store/spread.ts';
import type { ChargebackAlert, ChargebackAlertEvent } from './alert.ts';
import type { ManualRefundRequest, ManualRefundRequestEvent } from './manual-refund-request.ts';

export const CHARGEBACK_ALERTS: Store<ChargebackAlert, ChargebackAlertEvent> = store(
  'chargeback_alerts',
  'chargeback_alert',
);
export const MANUAL_REFUND_REQUESTS: Store<ManualRefundRequest, ManualRefundRequestEvent> = store(
  'manual_refund_requests',
  'manual_refund_request',
);

export const chargebackMigrations: readonly Migration[] = [
  // Both unique indexes are a second guard beside the versions: one alert for a charge, one manual refund for an alert.
  collections('130-chargebacks', {
    [CHARGEBACK_ALERTS.collection]: [{ key: { chargeId: 1 }, unique: true }],
    [MANUAL_REFUND_REQUESTS.collection]: [{ key: { chargebackAlertId: 1 }, unique: true }],
  }),
];

/** Finds the alert of a charge; null where there is none. */
export type FindAlertOf = (chargeId: ChargeId, tenantId: TenantId) => Promise<ChargebackAlert | null>;

export const createFindAlertOf =
  (db: Database): FindAlertOf =>
  (chargeId, tenantId) => {
    const { collection } = CHARGEBACK_ALERTS;
    const filter = { chargeId, ...ofTenant(db, collection, tenantId) };
    return db.collection(collection).findOne<ChargebackAlert>(filter, { projection: RESOURCE_ONLY });
  };
