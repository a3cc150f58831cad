import { existing } from '../../../kernel/errors.ts';
import type { ChargeId } from '../../../kernel/ids.ts';
import type { Transaction } from '../../../platform/write-store/transaction.ts';
import type { Charge } from '../../charges/write/charge.ts';
import type { CheckoutSession } from './checkout-session.ts';
import {
  assertActive,
  countPayment,
  hasPlace,
  LINK_PLACES,
  type LinkPlaces,
  PAYMENT_LINKS,
  type PaymentLink,
} from './payment-link.ts';
import { linkExhausted } from './refusals.ts';

/** The link of a session in a transaction; null for a session without one. */
const linkOf = async (
  tx: Transaction,
  { paymentLinkId }: Pick<CheckoutSession, 'paymentLinkId'>,
): Promise<PaymentLink | null> =>
  paymentLinkId && existing(await tx.get(PAYMENT_LINKS, paymentLinkId), 'Payment link');

/**
 * Reserves one of the payments of the session's link for a charge, in the transaction that stores the charge; 422
 * LINK_NOT_ACTIVE and LINK_EXHAUSTED. Concurrent payers never get more than there are.
 */
export const takePlace = async (
  tx: Transaction,
  session: CheckoutSession,
  { id: chargeId }: Pick<Charge, 'id'>,
  origin: string,
  now: Date,
): Promise<void> => {
  const link = await linkOf(tx, session);
  if (link === null) return;
  assertActive(link, now);
  if (link.maxPayments === null) return;
  const places = await tx.get(LINK_PLACES, link.id);
  if (!hasPlace(link, places?.held ?? [], origin)) throw linkExhausted();
  const held = [...(places?.held ?? []), { chargeId, origin }];
  if (places) await tx.update(LINK_PLACES, places, { ...places, held });
  else {
    const { id, merchantId, masterId } = link;
    const first: LinkPlaces = { id, version: 1, merchantId, masterId, held };
    await tx.insert(LINK_PLACES.collection, { _id: id, ...first });
  }
};

/** Releases the reservation of a charge that has ended, or counts the payment if the charge is paid. */
export const settlePlace = async (
  tx: Transaction,
  session: CheckoutSession,
  charge: Pick<Charge, 'id' | 'status'>,
  now: Date,
): Promise<void> => {
  const link = await linkOf(tx, session);
  if (link === null) return;
  await freePlace(tx, link, charge.id);
  if (charge.status === 'paid') await tx.record(PAYMENT_LINKS, link, countPayment(link, now));
};

/** 422 LINK_NOT_ACTIVE and LINK_EXHAUSTED if the link of a session takes no further payment. */
export const assertLinkActive = async (
  tx: Transaction,
  session: CheckoutSession,
  now: Date,
): Promise<void> => {
  const link = await linkOf(tx, session);
  if (link !== null) assertActive(link, now);
};

/** Counts a payer who has subscribed by the link of a session. */
export const countSubscriber = async (
  tx: Transaction,
  session: CheckoutSession,
  now: Date,
): Promise<void> => {
  const link = await linkOf(tx, session);
  if (link !== null) await tx.record(PAYMENT_LINKS, link, countPayment(link, now));
};

const freePlace = async (tx: Transaction, { id }: PaymentLink, chargeId: ChargeId): Promise<void> => {
  const places = await tx.get(LINK_PLACES, id);
  const held = places?.held.filter((place) => place.chargeId !== chargeId);
  if (places && held && held.length < places.held.length)
    await tx.update(LINK_PLACES, places, { ...places, held });
};

/** Whether the link of a session still takes the payment of a charge whose reservation was released. */
export const hasFreePlace = async (tx: Transaction, session: CheckoutSession): Promise<boolean> => {
  const link = await linkOf(tx, session);
  if (link === null) return true;
  const places = await tx.get(LINK_PLACES, link.id);
  return hasPlace(link, places?.held ?? [], null);
};
