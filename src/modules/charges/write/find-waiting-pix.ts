import { type FindById, findVisible } from '../../../platform/write-store/read-resource.ts';
import type { FindWaitingPix } from '../../stored-methods/write/enroll-mandate.ts';
import { type Charge, dueTermsOfCharge } from './charge.ts';

export const createFindWaitingPix =
  ({ findCharge }: { readonly findCharge: FindById<Charge> }): FindWaitingPix =>
  async (principal, chargeId) => {
    const charge = await findVisible(findCharge, principal, chargeId, 'Charge');
    const { id, merchantId, customer, provider, status, instructions } = charge;
    const waits = status === 'pending' && instructions?.type === 'pix' && dueTermsOfCharge(charge) === null;
    return waits ? { id, merchantId, customerId: customer.id, provider } : null;
  };
