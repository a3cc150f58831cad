import { resourceId, text, timestamps } from '../../platform/http/schemas.ts';
import { arrayOf, object, string } from '../../platform/http/typed.ts';
import { GROUP_PERMISSIONS } from './write/group.ts';

export const TAG = 'Groups (administration)';

const NAME = 'Name of the group in users and paths; it never changes.';
export const name = text(64).description(NAME);
export const permissions = arrayOf(string().valid(...GROUP_PERMISSIONS))
  .max(GROUP_PERMISSIONS.length)
  .unique()
  .description(
    '`admin.refunds.manual` includes `admin.chargeback_alerts.create`, `admin.manual_refund_requests.read` and `admin.manual_refund_requests.update`. `keys.manage` and `users.manage` are for users of merchants; a group with them has no other permissions.',
  );

export const groupAnswer = object({
  id: resourceId('grp').required(),
  name: string().required().description(NAME),
  permissions: permissions.required(),
  ...timestamps,
}).label('Group');
