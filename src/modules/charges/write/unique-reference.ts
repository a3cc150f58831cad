import { createHash } from 'node:crypto';
import type { Transaction } from '../../../platform/write-store/transaction.ts';
import { CHARGES, REFERENCES_TAKEN } from './charge.store.ts';
import type { Charge } from './charge.ts';
import { referenceAlreadyUsed } from './refusals.ts';

/** The id is a digest, because a reference can be any text and ids of documents appear in many places. */
const idOf = ({ merchantId, livemode }: Charge, reference: string): string =>
  createHash('sha256')
    .update(JSON.stringify([merchantId, livemode, reference]))
    .digest('hex');

/** A charge in one of these statuses has given its reference up, so that another charge may take it. */
const LEFT: readonly string[] = ['refused', 'failed'];

/**
 * Takes the reference of a new charge in its own transaction. Nothing has to be freed later: a reference is free as soon
 * as the charge that took it is refused or failed. 422 REFERENCE_ALREADY_USED where it is neither.
 */
export const takeReference = async (tx: Transaction, charge: Charge): Promise<void> => {
  if (charge.reference === null) return;
  const id = idOf(charge, charge.reference);
  const { id: chargeId, merchantId, masterId } = charge;
  const taken = await tx.get(REFERENCES_TAKEN, id);
  if (taken === null) {
    const first = { id, version: 1, merchantId, masterId, chargeId };
    await tx.insert(REFERENCES_TAKEN.collection, { _id: id, ...first });
    return;
  }
  const holder = await tx.get(CHARGES, taken.chargeId);
  if (holder !== null && !LEFT.includes(holder.status)) throw referenceAlreadyUsed(holder.id);
  await tx.update(REFERENCES_TAKEN, taken, { ...taken, chargeId });
};
