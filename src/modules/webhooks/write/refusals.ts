import { forbidden, refusal } from '../../../kernel/errors.ts';

export const ownerOnly = forbidden(
  'OWNER_ONLY',
  'Only the sub-merchant that the endpoint belongs to may do this',
);

export const webhookDeliveryPending = refusal('WEBHOOK_DELIVERY_PENDING', 'An attempt is in flight');

export const webhookEndpointDisabled = refusal(
  'WEBHOOK_ENDPOINT_DISABLED',
  'The webhook endpoint is disabled or deleted',
);

export const webhookEndpointLimitReached = refusal(
  'WEBHOOK_ENDPOINT_LIMIT_REACHED',
  'The merchant has the most webhook endpoints that it may have in an environment',
  (most: number) => `A merchant has at most ${most} webhook endpoints in each environment`,
);
