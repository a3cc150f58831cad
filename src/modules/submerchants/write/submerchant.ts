import { timestamp } from '../../../kernel/clock.ts';
import { changed, created, type Decision } from '../../../kernel/event.ts';
import type { MerchantId } from '../../../kernel/ids.ts';
import type { MerchantPrincipal } from '../../../kernel/principal.ts';
import {
  assertTaxId,
  type Merchant,
  type MerchantEvent,
  type MerchantStatus,
} from '../../merchants/write/merchant.ts';
import { connectNotEnabled, merchantNotActive } from '../../merchants/write/refusals.ts';
import { isOn, type Setting } from '../../merchants/write/setting.ts';
import { companyTaxIdVerified, masterOnly, statusMoveNotAllowed, submerchantChanged } from './refusals.ts';

/** The members of a sub-merchant that its master sets. */
export type SubmerchantFields = Pick<
  Merchant,
  'legalName' | 'email' | 'companyTaxId' | 'phone' | 'address' | 'postbackUrl'
>;

/** The statuses to which an operator may move each status. */
const MOVES: Readonly<Record<MerchantStatus, readonly MerchantStatus[]>> = {
  pre_approved: ['active', 'rejected'],
  active: ['blocked'],
  blocked: ['active'],
  rejected: ['pre_approved'],
};

/** Statuses that come after an operator's approval. */
const VERIFIED: readonly MerchantStatus[] = ['active', 'blocked'];

/** 403 for a merchant that is no master; 403 CONNECT_NOT_ENABLED for a master without the module. */
export function assertMaster(
  merchant: Merchant | null,
  connect: Setting | null,
): asserts merchant is Merchant {
  if (merchant?.role !== 'MerchantMaster') throw masterOnly();
  if (!isOn(connect)) throw connectNotEnabled();
}

/** 403 MERCHANT_NOT_ACTIVE for a blocked merchant, which may only read. */
export const assertActive = ({ status }: Pick<Merchant, 'status'>): void => {
  if (status !== 'active') throw merchantNotActive();
};

/** Whether the caller is the master of `merchant`, in the same environment. */
export const isMasterOf = (principal: MerchantPrincipal, merchant: Merchant): boolean =>
  merchant.masterId === principal.merchantId && merchant.livemode === principal.livemode;

/** Whether the caller may see the sub-merchant: as its master in the same environment, or as itself. */
export const maySeeSubmerchant = (principal: MerchantPrincipal, merchant: Merchant): boolean =>
  merchant.masterId !== null && (isMasterOf(principal, merchant) || merchant.id === principal.merchantId);

/**
 * A new sub-merchant of `master`, which inherits the master's permissions and time zone. 403 MERCHANT_NOT_ACTIVE for a
 * blocked master, 400 for an invalid tax id with a live key.
 */
export const openSubmerchant = (
  fields: SubmerchantFields,
  master: Merchant,
  livemode: boolean,
  id: MerchantId,
  now: Date,
): Decision<Merchant, MerchantEvent> => {
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
 * A master's change; absent members stay as they are. 400 for an invalid tax id, because payouts go to it. 422
 * COMPANY_TAX_ID_VERIFIED for any other tax id than the one that an operator has approved, also where the approval was
 * without one.
 */
export const changeSubmerchant = (
  submerchant: Merchant,
  changes: Partial<SubmerchantFields>,
  now: Date,
): Decision<Merchant, MerchantEvent> => {
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
  /** The version of the record that the operator decided on; not checked where it is absent. */
  readonly version?: number;
};

/**
 * An operator's decision on a sub-merchant. 409 VERSION_CHANGED where the record has changed since the operator read
 * it, 422 TRANSITION_NOT_ALLOWED for a status that cannot follow.
 */
export const moveStatus = (
  submerchant: Merchant,
  { status, reason, version = submerchant.version }: StatusMove,
  now: Date,
): Decision<Merchant, MerchantEvent> => {
  if (version !== submerchant.version) throw submerchantChanged(submerchant.version);
  if (!MOVES[submerchant.status].includes(status)) throw statusMoveNotAllowed(submerchant.status, status);
  return changed(status === 'active' ? 'account.approved' : 'account.status_changed', submerchant, now, {
    status,
    statusReason: reason,
  });
};
