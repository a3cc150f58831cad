import type { View } from '../../../platform/read-store/view.ts';
import { WEBHOOK_ENDPOINTS, type WebhookEndpoint } from '../write/endpoint.ts';

/** An endpoint as the API answers it. */
export const presentEndpoint = (endpoint: EndpointDocument | WebhookEndpoint) => ({
  id: endpoint.id,
  merchantId: endpoint.merchantId,
  livemode: endpoint.livemode,
  url: endpoint.url,
  events: endpoint.events,
  enabled: endpoint.enabled,
  disabledReason: endpoint.disabledReason,
  description: endpoint.description,
  includeSubmerchants: endpoint.includeSubmerchants,
  createdAt: endpoint.createdAt,
  updatedAt: endpoint.updatedAt,
});
export type PublicEndpoint = ReturnType<typeof presentEndpoint>;

export type EndpointDocument = Omit<WebhookEndpoint, 'version' | 'slot' | 'enabledAt'>;

export const WEBHOOK_ENDPOINTS_VIEW: View<WebhookEndpoint, EndpointDocument> = {
  name: 'webhook_endpoints',
  version: 1,
  source: WEBHOOK_ENDPOINTS,
  properties: {
    id: { type: 'keyword' },
    merchantId: { type: 'keyword' },
    masterId: { type: 'keyword' },
    livemode: { type: 'boolean' },
    url: { type: 'keyword', ignore_above: 2048 },
    enabled: { type: 'boolean' },
    deletedAt: { type: 'date' },
    createdAt: { type: 'date' },
    updatedAt: { type: 'date' },
  },
  toDocument: ({ version: _, slot: __, enabledAt: ___, ...endpoint }) => endpoint,
};
