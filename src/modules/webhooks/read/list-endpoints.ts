import { defineList } from '../../../platform/http/list.ts';
import { scopeOf } from '../../../platform/read-store/scope.ts';
import { BY_MERCHANT } from '../../merchants/read/by-merchant.ts';
import { endpointAnswer, forBoth } from '../webhooks.schemas.ts';
import { WEBHOOK_ENDPOINTS_VIEW } from './endpoint.view.ts';

/** Documents of deleted endpoints stay in the view, so that a late update cannot bring them back. */
const NOT_DELETED = { bool: { must_not: [{ exists: { field: 'deletedAt' } }] } };

export const ENDPOINT_LIST = defineList({
  view: WEBHOOK_ENDPOINTS_VIEW,
  what: 'endpoints',
  answer: endpointAnswer,
  sort: ['id', 'merchantId', 'url', 'enabled', 'createdAt', 'updatedAt'],
  filter: {
    merchantId: BY_MERCHANT,
    enabled: {
      description: '`false` finds endpoints that were disabled, by hand or after five days of failures.',
    },
    createdAt: {},
  },
  within: ({ principal }) => [...scopeOf(principal), NOT_DELETED],
  routes: forBoth({
    method: 'get',
    operationId: 'listWebhookEndpoints',
    path: '/webhook-endpoints',
    summary: 'List webhook endpoints',
    description: 'Shows a master the endpoints of its sub-merchants, too, and shows an operator all.',
  }),
});
