import {
  date,
  emailAddress,
  flag,
  keyword,
  line,
  name,
  stored,
  timestamps,
} from '../../../platform/read-store/fields.ts';
import { defineView } from '../../../platform/read-store/view.ts';
import { USERS } from '../write/user.ts';

export const USERS_VIEW = defineView({
  name: 'users',
  version: 4,
  source: USERS,
  fields: {
    id: keyword(),
    email: emailAddress(),
    name: name(),
    merchantId: keyword(),
    groups: line(),
    disabled: flag(),
    disabledReason: keyword(),
    oneTimePasswordExpiresAt: date(),
    secondFactor: flag(),
    lastLoginAt: date(),
    allowedNetworks: stored(),
    ...timestamps,
  },
});

/** A user as the API answers it. */
export const presentUser = USERS_VIEW.present;
