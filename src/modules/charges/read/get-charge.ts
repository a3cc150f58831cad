import type { Principal } from '../../../kernel/principal.ts';
import { type FindById, findVisible } from '../../../platform/write-store/read-resource.ts';
import { qrImage } from '../../providers/pix/qr-image.ts';
import type { Charge } from '../write/charge.ts';
import { presentStored, type WholeChargeAnswer } from './charge.view.ts';
import { shownPeriods } from './due-answer.ts';
import { shownSettlements } from './settlements.ts';

/**
 * Reads a charge from the write store, so that the answer is never behind. 404 for a caller who may not see the charge.
 */
export type GetCharge = (principal: Principal, id: string) => Promise<FreshCharge>;

export const createGetCharge =
  (deps: { readonly findCharge: FindById<Charge> }): GetCharge =>
  async (principal, id) => {
    const charge = await findVisible(deps.findCharge, principal, id, 'Charge');
    return presentFresh(charge);
  };

type FreshCharge = WholeChargeAnswer & { readonly settlements: ReturnType<typeof shownSettlements> };

/**
 * A charge in the answers of creation and of reading by id. Only these include its settlements and the image of its QR
 * code.
 */
export const presentFresh = async (charge: Charge): Promise<FreshCharge> => {
  const shown = { ...presentStored(charge), settlements: shownSettlements(charge) };
  if (charge.instructions?.type !== 'pix') return shown;
  const qrCode = await qrImage(charge.instructions.copyPaste);
  const amountsDue = shownPeriods(charge);
  return {
    ...shown,
    paymentDetails: { ...shown.paymentDetails, qrCode, ...(amountsDue && { amountsDue }) },
  };
};
