import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import { unprocessable } from '../../../kernel/errors.ts';
import type { Decision, Resource } from '../../../kernel/event.ts';
import type { MerchantId } from '../../../kernel/ids.ts';
import { MERCHANT_PERMISSIONS, type MerchantPermission } from '../../../kernel/principal.ts';
import { type Store, store } from '../../../kernel/store.ts';

export const MERCHANT_ROLES = ['Merchant', 'MerchantMaster'] as const;
export type MerchantRole = (typeof MERCHANT_ROLES)[number];

/** Specification 3.4; a merchant that is no sub-merchant is `active` from the start. */
export const MERCHANT_STATUSES = ['pre_approved', 'active', 'blocked', 'rejected'] as const;
export type MerchantStatus = (typeof MERCHANT_STATUSES)[number];

export type Merchant = Resource & {
  readonly id: MerchantId;
  readonly legalName: string;
  readonly email: string;
  /** 14 digits (CNPJ) or 11 (CPF). */
  readonly companyTaxId: string | null;
  readonly role: MerchantRole;
  /** The master of a sub-merchant, null for any other merchant. */
  readonly masterId: MerchantId | null;
  readonly status: MerchantStatus;
  /** The environment of a sub-merchant; null for a merchant that exists in both (decisions 1, livemode). */
  readonly livemode: boolean | null;
  readonly permissions: readonly MerchantPermission[];
  /** IANA name. */
  readonly timeZone: string;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
};

export const MERCHANTS: Store<Merchant> = store('merchants', 'merchant');

export type NewMerchant = {
  readonly legalName: string;
  readonly email: string;
  readonly companyTaxId: string | null;
  readonly role: MerchantRole;
  readonly timeZone: string;
};

/** What may change; a member that is absent stays as it is. */
export type MerchantChanges = Partial<NewMerchant & { readonly permissions: readonly MerchantPermission[] }>;

export const openMerchant = (command: NewMerchant, id: MerchantId, now: Date): Decision<Merchant> => ({
  type: 'merchant.created',
  data: {
    id,
    version: 0,
    ...command,
    masterId: null,
    status: 'active',
    livemode: null,
    permissions: MERCHANT_PERMISSIONS,
    createdAt: timestamp(now),
    updatedAt: timestamp(now),
  },
});

/** 422 SUBMERCHANT_CANNOT_BE_MASTER where a sub-merchant would get sub-merchants of its own. */
export const changeMerchant = (
  merchant: Merchant,
  changes: MerchantChanges,
  now: Date,
): Decision<Merchant> => {
  const changed = { ...merchant, ...changes, updatedAt: timestamp(now) };
  if (changed.masterId !== null && changed.role === 'MerchantMaster')
    throw unprocessable('SUBMERCHANT_CANNOT_BE_MASTER', 'A sub-merchant cannot be a master');
  return { type: 'merchant.updated', data: changed };
};

/** The digits of a CNPJ (14) or CPF (11), its punctuation removed; null for anything else (decisions 9). */
export const parseCompanyTaxId = (value: string): string | null => {
  if (!/^[\d./\- ]{11,24}$/.test(value)) return null;
  const digits = value.replaceAll(/\D/g, '');
  return digits.length === 14 || digits.length === 11 ? digits : null;
};

/** Whether this is a name of the IANA time zone database; an offset such as `+03:00` is none. */
export const isTimeZone = (name: string): boolean => {
  if (!/^[A-Za-z][\w+-]*(\/[\w+-]+)*$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
};
