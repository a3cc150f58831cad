import Joi from 'joi';
import { OPERATOR_PERMISSIONS } from '../../kernel/principal.ts';
import { resourceId, text, timestamps } from '../../platform/http/schemas.ts';

export const TAG = 'Groups (administration)';

const NAME = 'Name of the group in users and paths; it never changes.';
export const name = text(64).description(NAME);
export const permissions = Joi.array()
  .items(Joi.string().valid(...OPERATOR_PERMISSIONS))
  .max(OPERATOR_PERMISSIONS.length)
  .unique()
  .description(
    '`admin.refunds.manual` includes `admin.chargeback_alerts.create`, `admin.manual_refund_requests.read` and `admin.manual_refund_requests.update`.',
  );

export const groupAnswer = Joi.object({
  id: resourceId('grp').required(),
  name: Joi.string().required().description(NAME),
  permissions: permissions.required(),
  ...timestamps,
}).label('Group');
