import { tenantOf } from '../../../kernel/tenant.ts';
import type { Database, Wanted } from '../../../platform/write-store/database.ts';
import { RESOURCE_ONLY } from '../../../platform/write-store/mongo.ts';
import { findOfTenants, ofTenant } from '../../../platform/write-store/spread.ts';
import { type EndpointOwner, WEBHOOK_ENDPOINTS, type WebhookEndpoint } from './endpoint.ts';

export type EndpointsStore = ReturnType<typeof createEndpointsStore>;

export const createEndpointsStore = (db: Database) => {
  const endpoints = db.collection<{ _id: string }>(WEBHOOK_ENDPOINTS.collection);
  return {
    /** The places that a merchant's endpoints take. A unique index gives each place to one endpoint. */
    async takenSlots(owner: EndpointOwner): Promise<readonly (number | null)[]> {
      const { merchantId, livemode } = owner;
      const tenant = ofTenant(db, WEBHOOK_ENDPOINTS.collection, tenantOf(owner));
      const taken = await endpoints
        .find<WebhookEndpoint>({ merchantId, livemode, slot: { $gte: 0 }, ...tenant })
        .toArray();
      return taken.map(({ slot }) => slot);
    },

    findEnabledEndpoints: (of: readonly Wanted[]): Promise<readonly WebhookEndpoint[]> =>
      findOfTenants(
        db,
        WEBHOOK_ENDPOINTS.collection,
        'merchantId',
        of,
        { projection: RESOURCE_ONLY },
        { enabled: true },
      ),

    findEndpoints: (wanted: readonly Wanted[]): Promise<readonly WebhookEndpoint[]> =>
      findOfTenants(db, WEBHOOK_ENDPOINTS.collection, '_id', wanted, { projection: RESOURCE_ONLY }),
  };
};
