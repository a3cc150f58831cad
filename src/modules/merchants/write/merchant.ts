import { isDeepStrictEqual } from 'node:util';
import { timestamp } from '../../../kernel/clock.ts';
import { invalidInput } from '../../../kernel/errors.ts';
import { created, type DatedResource, type Decision } from '../../../kernel/event.ts';
import type { MerchantId } from '../../../kernel/ids.ts';
import { compactId, isCnpj, isCpf, missingShape } from '../../../kernel/national-id.ts';
import { MERCHANT_PERMISSIONS, type MerchantPermission } from '../../../kernel/principal.ts';
import { type Store, store } from '../../../kernel/store.ts';
import { statusMovedByReview, submerchantCannotBeMaster } from './refusals.ts';

export const MERCHANT_ROLES = ['Merchant', 'MerchantMaster'] as const;
type MerchantRole = (typeof MERCHANT_ROLES)[number];

/** Credentialing status of a merchant. A merchant that is no sub-merchant is `active` from the start. */
export const MERCHANT_STATUSES = ['pre_approved', 'active', 'blocked', 'rejected'] as const;
export type MerchantStatus = (typeof MERCHANT_STATUSES)[number];

/** Postal address of a merchant, as it was sent. */
export type Address = {
  readonly country: string;
  readonly line1?: string;
  readonly line2?: string;
  readonly city?: string;
  readonly state?: string;
  readonly postalCode?: string;
};

export type MerchantEvent =
  | 'account.approved'
  | 'account.created'
  | 'account.status_changed'
  | 'account.updated'
  | 'merchant.created'
  | 'merchant.updated';

export type Merchant = DatedResource & {
  readonly id: MerchantId;
  readonly legalName: string;
  readonly email: string;
  /** A CNPJ (12 letters or digits and two check digits) or a CPF (11 digits), in compact form. */
  readonly companyTaxId: string | null;
  readonly role: MerchantRole;
  /** The master of a sub-merchant, null for any other merchant. */
  readonly masterId: MerchantId | null;
  readonly status: MerchantStatus;
  /** The environment of a sub-merchant; null for a merchant that exists in both. */
  readonly livemode: boolean | null;
  readonly permissions: readonly MerchantPermission[];
  /** Name in the IANA time zone database. */
  readonly timeZone: string;
  readonly phone: string | null;
  readonly address: Address | null;
  /** Address that is told about every change of `status`; sub-merchants only. */
  readonly postbackUrl: string | null;
  /** Reason that was given for the present status. */
  readonly statusReason: string | null;
};

export const MERCHANTS: Store<Merchant, MerchantEvent> = store('merchants', 'merchant', {
  hasRealTime: true,
  leased: 'changes',
});

export type NewMerchant = {
  readonly legalName: string;
  readonly email: string;
  readonly companyTaxId: string | null;
  readonly role: MerchantRole;
  readonly timeZone: string;
};

/** Changes; an absent member stays as it is. */
export type MerchantChanges = Partial<
  NewMerchant & {
    readonly permissions: readonly MerchantPermission[];
    /** Status of a merchant that is no sub-merchant. */
    readonly status: 'active' | 'blocked';
    /** The reason of the status. */
    readonly reason: string;
  }
>;

/** A new merchant. 400 for an invalid tax id. */
export const openMerchant = (
  command: NewMerchant,
  id: MerchantId,
  now: Date,
): Decision<Merchant, MerchantEvent> => {
  assertTaxId(command.companyTaxId);
  return created('merchant.created', now, {
    id,
    ...command,
    masterId: null,
    status: 'active',
    livemode: null,
    permissions: MERCHANT_PERMISSIONS,
    phone: null,
    address: null,
    postbackUrl: null,
    statusReason: null,
  });
};

/**
 * An operator's change. 422 SUBMERCHANT_CANNOT_BE_MASTER where a sub-merchant would become a master. 422
 * TRANSITION_NOT_ALLOWED where the status of a sub-merchant would change, which is left to its review. 400 for a status
 * without a reason, and for an invalid tax id.
 */
export const changeMerchant = (
  merchant: Merchant,
  changes: MerchantChanges,
  now: Date,
): Decision<Merchant, MerchantEvent> => {
  const { reason, ...fields } = changes;
  if ((reason === undefined) !== (fields.status === undefined))
    throw invalidInput([{ path: 'reason', message: 'reason must be given with status, and only with it' }]);
  if (fields.status !== undefined && merchant.masterId !== null) throw statusMovedByReview();
  const statusReason = reason ?? merchant.statusReason;
  const changed = { ...merchant, ...fields, statusReason, updatedAt: timestamp(now) };
  if (changed.companyTaxId !== merchant.companyTaxId) assertTaxId(changed.companyTaxId);
  if (changed.masterId !== null && changed.role === 'MerchantMaster') throw submerchantCannotBeMaster();
  return { type: changed.masterId === null ? 'merchant.updated' : 'account.updated', data: changed };
};

/** Whether the merchant differs from before in anything but the time of its last change. */
export const isChanged = (before: Merchant, after: Merchant): boolean =>
  !isDeepStrictEqual({ ...after, updatedAt: before.updatedAt }, before);

/**
 * 400 for a tax id with wrong check digits. An invalid one that a former version accepted stays until it is changed.
 */
export const assertTaxId = (companyTaxId: string | null): void => {
  if (companyTaxId === null || isCnpj(companyTaxId) || isCpf(companyTaxId)) return;
  throw invalidInput([{ path: 'companyTaxId', message: 'companyTaxId has wrong check digits' }]);
};

/** A CNPJ (14 characters) or CPF (11 digits) in compact form; null for anything else. */
export const parseCompanyTaxId = (value: string): string | null => {
  const id = compactId(value);
  return missingShape('cnpj', id) === null || missingShape('cpf', id) === null ? id : null;
};
