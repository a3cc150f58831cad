import { forbidden, notFound } from './errors.ts';
import type { Actor } from './event.ts';
import type { MerchantId, SessionId, UserId } from './ids.ts';
import { type TenantId, tenantOf } from './tenant.ts';

/** Permissions that a merchant's people get from their groups, and that keys never have. */
export const PEOPLE_PERMISSIONS = ['keys.manage', 'users.manage'] as const;
export type PeoplePermission = (typeof PEOPLE_PERMISSIONS)[number];

/** Permissions that a merchant's keys can have, and that its users have without any group. */
export const KEY_PERMISSIONS = [
  'charges.create',
  'charges.read',
  'refunds.create',
  'statement.read',
  'submerchants.manage',
  'payouts.create',
  'payouts.read',
  'fees.read',
  'anticipations.create',
  'webhooks.manage',
  'customers.manage',
  'payment_methods.manage',
  'subscriptions.manage',
  'checkout.manage',
  'disputes.manage',
] as const;
type KeyPermission = (typeof KEY_PERMISSIONS)[number];

/** Permissions that limit a merchant's keys and users; a sub-merchant inherits its master's. */
export const MERCHANT_PERMISSIONS = [...KEY_PERMISSIONS, ...PEOPLE_PERMISSIONS] as const;
export type MerchantPermission = (typeof MERCHANT_PERMISSIONS)[number];

export const isForPeople = (permission: string): permission is PeoplePermission =>
  PEOPLE_PERMISSIONS.some((one) => one === permission);

/** The permissions of a merchant that its keys can have. */
export const ofKeys = (permissions: readonly MerchantPermission[]): readonly KeyPermission[] =>
  permissions.filter((permission): permission is KeyPermission => !isForPeople(permission));

/** Permissions that operators get from their groups. */
export const OPERATOR_PERMISSIONS = [
  'admin.refunds.manual',
  'admin.chargeback_alerts.create',
  'admin.manual_refund_requests.read',
  'admin.manual_refund_requests.update',
  'admin.charges.read',
  'admin.chargebacks.confirm',
  'admin.merchants.read',
  'admin.merchants.update',
  'admin.payout_requests.read',
  'admin.payout_requests.update',
  'admin.reports.read',
  'admin.webhooks.read',
  'admin.webhooks.update',
  'admin.users.update',
  'admin.audit.read',
  'admin.adjustments.create',
  'admin.adjustments.approve',
  'admin.customers.erase',
] as const;
export type OperatorPermission = (typeof OPERATOR_PERMISSIONS)[number];

/** The step that a user has to take before the token allows anything else. */
export type PendingSetup = 'PASSWORD_CHANGE_REQUIRED' | 'SECOND_FACTOR_SETUP_REQUIRED';

/** The session of a user's token. */
type PrincipalSession = {
  readonly id: SessionId;
  readonly userId: UserId;
  readonly pending: PendingSetup | null;
};

/** A key or user of a merchant, in the environment that the credentials belong to. */
export type MerchantPrincipal = {
  readonly kind: 'merchant';
  readonly actor: Actor;
  readonly credential: 'secret_key' | 'public_key' | 'user';
  readonly merchantId: MerchantId;
  /** The master of a sub-merchant; null for any other merchant. */
  readonly masterId: MerchantId | null;
  readonly livemode: boolean;
  readonly permissions: readonly MerchantPermission[];
  /** Absent for a key. */
  readonly session?: PrincipalSession;
  /** The permissions of a restricted key; absent for a caller with all of the merchant's. */
  readonly restrictedTo?: readonly MerchantPermission[];
  /** Networks that the caller may come from; absent where it may come from everywhere. */
  readonly allowedNetworks?: readonly string[];
};

export type OperatorPrincipal = {
  readonly kind: 'operator';
  readonly actor: Actor;
  readonly credential: 'user';
  readonly userId: UserId;
  readonly livemode: boolean;
  readonly permissions: readonly OperatorPermission[];
  /** Absent for work that the gateway does by itself. */
  readonly session?: PrincipalSession;
  /** Networks that the operator may come from; absent where it may come from everywhere. */
  readonly allowedNetworks?: readonly string[];
};

/** The caller of one request, as authentication determined it; never stored. */
export type Principal = MerchantPrincipal | OperatorPrincipal;

export const permissionMissing = forbidden(
  'PERMISSION_MISSING',
  'The caller lacks the permission that `permission` names',
  (permission: string) => ({ permission }),
);

export const grantNotHeld = forbidden(
  'GRANT_NOT_HELD',
  'The caller does not hold a permission that this would grant; `errors` names each',
  (missing: readonly string[]) => ({
    errors: missing.map((permission) => ({
      path: 'permissions',
      message: `permissions must be held by the caller: ${permission} is not`,
    })),
  }),
);

/** 403 where somebody grants a permission that they do not hold. */
export const assertHeld = (held: readonly string[], given: readonly string[]): void => {
  const missing = given.filter((permission) => !held.includes(permission));
  if (missing.length > 0) throw grantNotHeld(missing);
};

export const merchantsOnly = forbidden('MERCHANTS_ONLY', 'The route is for merchants');
export const operatorsOnly = forbidden('OPERATORS_ONLY', 'The route is for operators');
export const merchantNotVisible = forbidden(
  'MERCHANT_NOT_VISIBLE',
  'The caller may not name this `merchantId`',
);
export const testEnvironmentOnly = forbidden(
  'TEST_ENVIRONMENT_ONLY',
  'A test helper works on test records only',
);

/** The caller as a merchant; 403 for an operator. */
export const asMerchant = (principal: Principal): MerchantPrincipal => {
  if (principal.kind !== 'merchant') throw merchantsOnly();
  return principal;
};

/** The caller as an operator; 403 for a merchant. */
export const asOperator = (principal: Principal): OperatorPrincipal => {
  if (principal.kind !== 'operator') throw operatorsOnly();
  return principal;
};

/** The tenant of all that a caller may see; null for an operator, who sees every tenant. */
/**
 * The caller who is charged with the time and memory that a request takes: the merchant, whatever its key or user, or
 * an operator.
 */
export const callerOf = (principal: Principal): string =>
  principal.kind === 'merchant' ? principal.merchantId : principal.actor.id;

export const tenantOfCaller = (caller: Principal): TenantId | null =>
  caller.kind === 'merchant' ? tenantOf(caller) : null;

/** Whether the caller may see a record of this merchant, which may be a sub-merchant of `masterId`. */
export const mayRead = (
  principal: Principal,
  record: {
    readonly merchantId: MerchantId;
    readonly masterId: MerchantId | null;
    readonly livemode: boolean;
  },
): boolean =>
  principal.livemode === record.livemode &&
  (principal.kind === 'operator' ||
    record.merchantId === principal.merchantId ||
    record.masterId === principal.merchantId);

/** The record of a merchant; 404, with the record's name for people, where there is none that the caller may see. */
export const visible = <T extends Parameters<typeof mayRead>[1]>(
  principal: Principal,
  record: T | null,
  name: string,
): T => {
  if (!record || !mayRead(principal, record)) throw notFound(name);
  return record;
};
