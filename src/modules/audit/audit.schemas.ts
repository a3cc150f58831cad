import { dateTime, resourceId } from '../../platform/http/schemas.ts';
import { anyObject, boolean, object, string } from '../../platform/http/typed.ts';

export const TAG = 'Audit (administration)';

const snapshot = anyObject().unknown().label('AuditedState').allow(null).required();

export const auditAnswer = object({
  id: resourceId('aud').required(),
  type: string().required().description('Kind of action, such as `merchant.updated`.'),
  actor: object({
    kind: string()
      .valid('operator', 'user', 'key', 'system')
      .required()
      .description(
        '`user`: a user of a merchant; `key`: a merchant by its API key; `system`: the gateway itself.',
      ),
    id: string().required().description('The id of the user or key; a name if the gateway itself acted.'),
  })
    .required()
    .description('Author of the action.'),
  resource: string().required().description('Kind of record, such as `merchant`.'),
  resourceId: string().required().description('Id of the record.'),
  livemode: boolean()
    .allow(null)
    .required()
    .description('Null for a record that exists once for both environments.'),
  requestId: string().required().description('`X-Request-Id` of the command.'),
  address: string()
    .allow(null)
    .required()
    .description('Network address from which the request came; null if no request caused the action.'),
  details: anyObject()
    .unknown()
    .label('AuditDetails')
    .allow(null)
    .required()
    .description('Further details, such as the permission that was missing; null if there are none.'),
  before: snapshot.description(
    'The resource before the action, with amounts in minor units; null if it is new.',
  ),
  after: snapshot.description('The resource after the action; null if the action only read something.'),
  createdAt: dateTime().required(),
}).label('AuditEntry');
