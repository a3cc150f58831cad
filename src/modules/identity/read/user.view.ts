import type { View } from '../../../platform/read-store/view.ts';
import { USERS, type User } from '../write/user.ts';

/** A user as the API shows it; the view's document is the same. */
export type UserAnswer = Omit<User, 'version' | 'credentialsVersion' | 'idleSince'>;

export const toUserAnswer = (user: User): UserAnswer => ({
  id: user.id,
  email: user.email,
  name: user.name,
  merchantId: user.merchantId,
  groups: user.groups,
  disabled: user.disabled,
  disabledReason: user.disabledReason,
  oneTimePasswordExpiresAt: user.oneTimePasswordExpiresAt,
  secondFactor: user.secondFactor,
  lastLoginAt: user.lastLoginAt,
  allowedNetworks: user.allowedNetworks,
  createdAt: user.createdAt,
  updatedAt: user.updatedAt,
});

export const USERS_VIEW: View<User, UserAnswer> = {
  name: 'users',
  version: 3,
  source: USERS,
  properties: {
    id: { type: 'keyword' },
    email: { type: 'keyword', ignore_above: 256, normalizer: 'lowercase' },
    name: { type: 'keyword', ignore_above: 256 },
    merchantId: { type: 'keyword' },
    groups: { type: 'keyword', ignore_above: 256 },
    disabled: { type: 'boolean' },
    disabledReason: { type: 'keyword' },
    oneTimePasswordExpiresAt: { type: 'date' },
    secondFactor: { type: 'boolean' },
    lastLoginAt: { type: 'date' },
    createdAt: { type: 'date' },
    updatedAt: { type: 'date' },
  },
  toDocument: toUserAnswer,
};
