import { timestamp } from '../../../kernel/clock.ts';
import { forbidden, unprocessable } from '../../../kernel/errors.ts';
import type { Decision } from '../../../kernel/event.ts';
import type { MerchantId } from '../../../kernel/ids.ts';
import type { MerchantPrincipal } from '../../../kernel/principal.ts';
import { assertTaxId, type Merchant, type MerchantStatus } from '../../merchants/write/merchant.ts';
import { isConnectEnabled, type Setting } from '../../merchants/write/setting.ts';

/** What a master says about a sub-merchant (specification 4.8, decisions 9). */
export type SubmerchantFields = Pick<
  Merchant,
  'legalName' | 'email' | 'companyTaxId' | 'phone' | 'address' | 'postbackUrl'
>;

/** Where an operator may move each status to (decisions 9). */
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
  if (merchant?.role !== 'MerchantMaster') throw forbidden('MASTER_ONLY');
  if (!isConnectEnabled(connect)) throw forbidden('CONNECT_NOT_ENABLED');
}

/** Whether the caller is master of `merchant`, in its environment. */
export const isMasterOf = (principal: MerchantPrincipal, merchant: Merchant): boolean =>
  merchant.masterId === principal.merchantId && merchant.livemode === principal.livemode;

/** Whether `merchant` is a sub-merchant that the caller may see: its master in its environment, or itself. */
export const maySeeSubmerchant = (principal: MerchantPrincipal, merchant: Merchant): boolean =>
  merchant.masterId !== null && (isMasterOf(principal, merchant) || merchant.id === principal.merchantId);

/** A sub-merchant of `master`, whose permissions and time zone it inherits. 400 for a wrong tax id with a live key. */
export const openSubmerchant = (
  fields: SubmerchantFields,
  master: Merchant,
  livemode: boolean,
  id: MerchantId,
  now: Date,
): Decision<Merchant> => {
  assertTaxId(fields.companyTaxId, livemode);
  return {
    type: 'account.created',
    data: {
      id,
      version: 0,
      ...fields,
      role: 'Merchant',
      masterId: master.id,
      status: 'pre_approved',
      statusReason: null,
      livemode,
      permissions: master.permissions,
      timeZone: master.timeZone,
      createdAt: timestamp(now),
      updatedAt: timestamp(now),
    },
  };
};

/**
 * A master's change; members that are absent stay as they are. 400 for a wrong tax id of a live sub-merchant, 422
 * COMPANY_TAX_ID_VERIFIED for another one than an operator has approved: payouts go to it.
 */
export const changeSubmerchant = (
  submerchant: Merchant,
  changes: Partial<SubmerchantFields>,
  now: Date,
): Decision<Merchant> => {
  const { companyTaxId = submerchant.companyTaxId } = changes;
  const isVerified = submerchant.companyTaxId !== null && VERIFIED.includes(submerchant.status);
  if (isVerified && companyTaxId !== submerchant.companyTaxId)
    throw unprocessable('COMPANY_TAX_ID_VERIFIED', 'An approved tax id can be changed by an operator only');
  const data = { ...submerchant, ...changes, updatedAt: timestamp(now) };
  assertTaxId(data.companyTaxId, data.livemode);
  return { type: 'account.updated', data };
};

/** An operator's decision about a sub-merchant. 422 TRANSITION_NOT_ALLOWED for a move that is none of decisions 9. */
export const moveStatus = (
  submerchant: Merchant,
  { status, reason }: { readonly status: MerchantStatus; readonly reason: string | null },
  now: Date,
): Decision<Merchant> => {
  if (!MOVES[submerchant.status].includes(status))
    throw unprocessable(
      'TRANSITION_NOT_ALLOWED',
      `A sub-merchant that is ${submerchant.status} cannot become ${status}`,
    );
  return {
    type: status === 'active' ? 'account.approved' : 'account.status_changed',
    data: { ...submerchant, status, statusReason: reason, updatedAt: timestamp(now) },
  };
};
