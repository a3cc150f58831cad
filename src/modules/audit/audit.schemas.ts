import Joi from 'joi';
import { dateTime, resourceId } from '../../platform/http/schemas.ts';

export const TAG = 'Audit (administration)';

const snapshot = Joi.object().unknown().label('AuditedState').allow(null).required();

export const auditAnswer = Joi.object({
  id: resourceId('aud').required(),
  type: Joi.string().required().description('Kind of action, such as `merchant.updated`.'),
  actor: Joi.object({
    kind: Joi.string()
      .valid('operator', 'user', 'key', 'system')
      .required()
      .description("`user`: a merchant's; `key`: a merchant by API key; `system`: the gateway itself."),
    id: Joi.string().required().description('Of the user or key; a name for the system.'),
  })
    .required()
    .description('Author of the action.'),
  resource: Joi.string().required().description('Kind of record, such as `merchant`.'),
  resourceId: Joi.string().required().description('Id of the record.'),
  livemode: Joi.boolean().allow(null).required().description('Null for a record of both environments.'),
  requestId: Joi.string().required().description('`X-Request-Id` of the command.'),
  address: Joi.string()
    .allow(null)
    .required()
    .description('Network address that the request came from; null without a request.'),
  details: Joi.object()
    .unknown()
    .label('AuditDetails')
    .allow(null)
    .required()
    .description('More about it, such as the permission that was missing; null where there is no more.'),
  before: snapshot.description('The resource as it was, amounts in minor units; null where it is new.'),
  after: snapshot.description('The resource as it became; null where something was read only.'),
  createdAt: dateTime().required(),
}).label('AuditEntry');
