import { timestamp } from '../../../kernel/clock.ts';
import { changed, created, type Decision } from '../../../kernel/event.ts';
import type { MerchantId } from '../../../kernel/ids.ts';
import type { MerchantPrincipal } from '../../../kernel/principal.ts';
import { assertTaxId, type Merchant, type MerchantStatus } from '../../merchants/write/merchant.ts';
import { connectNotEnabled, merchantNotActive } from '../../merchants/write/refusals.ts';
import { isOn, type Setting } from '../../merchants/write/setting.ts';
import { companyTaxIdVerified, masterOnly, statusMoveNotAllowed, submerchantChanged } from './refusals.ts';

/** Facts about a sub-merchant by its master. */
export type SubmerchantFields = Pick<
  Merchant,
  'legalName' | 'email' | 'companyTaxId' | 'phone' | 'address' | 'postbackUrl'
>;

/** Where an operator may move each status to. */
const MOVES: Readonly<Record<MerchantStatus, readonly MerchantStatus[]>> = {
  pre_approved: ['active', 'rejected'],
  active: ['blocked'],
  blocked: ['active'],
  rejected: ['pre_approved'],
};

/** Statuses that follow an operator's approval. */
const VERIFIED: readonly MerchantStatus[] = ['active', 'blocked'];

/** 403 for a merchant that is no master, and with code CONNECT_NOT_ENABLED for one without the module. */
export function assertMaster(
  merchant: Merchant | null,
  connect: Setting | null,
): asserts merchant is Merchant {
  if (merchant?.role !== 'MerchantMaster') throw masterOnly();
  if (!isOn(connect)) throw connectNotEnabled();
}

/** 403 MERCHANT_NOT_ACTIVE for a merchant that was blocked: it reads only. */
export const assertActive = ({ status }: Pick<Merchant, 'status'>): void => {
  if (status !== 'active') throw merchantNotActive();
};

/** Whether the caller is master of `merchant`, in its environment. */
export const isMasterOf = (principal: MerchantPrincipal, merchant: Merchant): boolean =>
  merchant.masterId === principal.merchantId && merchant.livemode === principal.livemode;

/** Whether `merchant` is a sub-merchant that the caller may see: its master in its environment, or itself. */
export const maySeeSubmerchant = (principal: MerchantPrincipal, merchant: Merchant): boolean =>
  merchant.masterId !== null && (isMasterOf(principal, merchant) || merchant.id === principal.merchantId);

/**
 * A sub-merchant of `master`, whose permissions and time zone it inherits. 403 MERCHANT_NOT_ACTIVE for a master that was
 * blocked, 400 for a wrong tax id with a live key.
 */
export const openSubmerchant = (
  fields: SubmerchantFields,
  master: Merchant,
  livemode: boolean,
  id: MerchantId,
  now: Date,
): Decision<Merchant> => {
  assertActive(master);
  assertTaxId(fields.companyTaxId);
  return created('account.created', now, {
    id,
    ...fields,
    role: 'Merchant',
    masterId: master.id,
    status: 'pre_approved',
    statusReason: null,
    livemode,
    permissions: master.permissions,
    timeZone: master.timeZone,
  });
};

/**
 * A master's change; members that are absent stay as they are. 400 for a wrong tax id, because payouts go
 * to it. 422 COMPANY_TAX_ID_VERIFIED for another one than an operator has approved. The same for the first
 * one after an approval without any.
 */
export const changeSubmerchant = (
  submerchant: Merchant,
  changes: Partial<SubmerchantFields>,
  now: Date,
): Decision<Merchant> => {
  const { companyTaxId = submerchant.companyTaxId } = changes;
  const isVerified = VERIFIED.includes(submerchant.status);
  if (isVerified && companyTaxId !== submerchant.companyTaxId) throw companyTaxIdVerified();
  const data = { ...submerchant, ...changes, updatedAt: timestamp(now) };
  if (companyTaxId !== submerchant.companyTaxId) assertTaxId(companyTaxId);
  return { type: 'account.updated', data };
};

export type StatusMove = {
  readonly status: MerchantStatus;
  readonly reason: string | null;
  /** Version of the record that the operator decided on; unchecked where it is absent. */
  readonly version?: number;
};

/**
 * An operator's decision about a sub-merchant. 409 VERSION_CHANGED where it changed since the operator read it, 422
 * TRANSITION_NOT_ALLOWED for a move that is none.
 */
export const moveStatus = (
  submerchant: Merchant,
  { status, reason, version = submerchant.version }: StatusMove,
  now: Date,
): Decision<Merchant> => {
  if (version !== submerchant.version) throw submerchantChanged(submerchant.version);
  if (!MOVES[submerchant.status].includes(status)) throw statusMoveNotAllowed(submerchant.status, status);
  return changed(status === 'active' ? 'account.approved' : 'account.status_changed', submerchant, now, {
    status,
    statusReason: reason,
  });
};
