import type { Principal } from '../../../kernel/principal.ts';
import { type FindById, findVisible } from '../../../platform/write-store/read-resource.ts';
import { qrImage } from '../../providers/pix/qr-image.ts';
import type { Charge } from '../write/charge.ts';
import { presentStored, type WholeChargeAnswer } from './charge.view.ts';
import { shownSettlements } from './settlements.ts';

/** A charge from the write store, as one who may see it gets it; 404 for others. Never behind. */
export type GetCharge = (principal: Principal, id: string) => Promise<FreshCharge>;

export const createGetCharge =
  (deps: { readonly findCharge: FindById<Charge> }): GetCharge =>
  async (principal, id) => {
    const charge = await findVisible(deps.findCharge, principal, id, 'Charge');
    return presentFresh(charge);
  };

type FreshCharge = WholeChargeAnswer & { readonly settlements: ReturnType<typeof shownSettlements> };

/** A charge as create and read by id answer it, and nothing else: with its settlements and the QR code's image. */
export const presentFresh = async (charge: Charge): Promise<FreshCharge> => {
  const shown = { ...presentStored(charge), settlements: shownSettlements(charge) };
  if (charge.instructions?.type !== 'pix') return shown;
  const qrCode = await qrImage(charge.instructions.copyPaste);
  return { ...shown, paymentDetails: { ...shown.paymentDetails, qrCode } };
};
