import { type Principal, tenantOfCaller } from '../../../kernel/principal.ts';
import type { FindById } from '../../../platform/write-store/read-resource.ts';
import type { Charge } from '../../charges/write/charge.ts';
import type { Merchant } from '../../merchants/write/merchant.ts';
import type { PayoutRequest } from '../../payouts/write/payout-request.ts';
import { mayNote, type Subject } from './note.ts';

/** Finds the record that a note is about; null where there is none that the caller may read. */
export type FindSubject = (principal: Principal, id: string) => Promise<Subject | null>;

export const createFindSubject =
  (deps: {
    readonly findCharge: FindById<Charge>;
    readonly findPayoutRequest: FindById<PayoutRequest>;
    readonly findMerchant: FindById<Merchant>;
  }): FindSubject =>
  async (principal, id) => {
    const subject = await findAny(deps, principal, id);
    return subject && mayNote(principal, subject.type) && isVisible(principal, subject) ? subject : null;
  };

const findAny = async (
  deps: Parameters<typeof createFindSubject>[0],
  principal: Principal,
  id: string,
): Promise<Subject | null> => {
  const tenantId = tenantOfCaller(principal);
  if (id.startsWith('chg_')) return subjectOf('charge', await deps.findCharge(id, tenantId));
  if (id.startsWith('po_')) return subjectOf('payout_request', await deps.findPayoutRequest(id, tenantId));
  const merchant = id.startsWith('mer_') ? await deps.findMerchant(id) : null;
  return (
    merchant && {
      type: merchant.masterId === null ? 'merchant' : 'submerchant',
      id,
      merchantId: merchant.id,
      masterId: merchant.masterId,
      livemode: merchant.livemode,
    }
  );
};

const subjectOf = (type: Subject['type'], found: Omit<Subject, 'type'> | null): Subject | null =>
  found && {
    type,
    id: found.id,
    merchantId: found.merchantId,
    masterId: found.masterId,
    livemode: found.livemode,
  };

/** A merchant sees its own records and its sub-merchants', and writes about those, but not about itself. */
const isVisible = (principal: Principal, { type, merchantId, masterId, livemode }: Subject): boolean => {
  if (livemode !== null && livemode !== principal.livemode) return false;
  if (principal.kind === 'operator') return true;
  return masterId === principal.merchantId || (type !== 'submerchant' && merchantId === principal.merchantId);
};
