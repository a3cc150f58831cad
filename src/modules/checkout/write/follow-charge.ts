import type { Clock } from '../../../kernel/clock.ts';
import type { FollowOutcome, IsFree } from '../../charges/write/record-payment-outcome.ts';
import type { FollowMethod } from '../../stored-methods/write/record-stored-state.ts';
import { CHECKOUT_SESSIONS, followCharge, followMethod, isFreeFor } from './checkout-session.ts';
import { hasFreePlace, settlePlace } from './link-places.ts';
import type { RecordSession } from './record-session.ts';

/** Carries the outcome of a session's charge over to the session; other charges are ignored. */
export const createFollowSessionCharge =
  ({
    clock,
    recordSession,
  }: {
    readonly clock: Clock;
    readonly recordSession: RecordSession;
  }): FollowOutcome =>
  async (tx, charge) => {
    if (charge.checkoutSessionId === undefined) return;
    const session = await tx.get(CHECKOUT_SESSIONS, charge.checkoutSessionId);
    if (!session) throw new Error(`checkout session ${charge.checkoutSessionId} is gone`);
    const now = clock();
    const decision = followCharge(session, charge, now);
    if (!decision) return;
    await recordSession(tx, session, decision);
    await settlePlace(tx, session, charge, now);
  };

/** Carries the outcome of storing a session's card over to the session; other cards are ignored. */
export const createFollowSessionMethod =
  ({ clock }: { readonly clock: Clock }): FollowMethod =>
  async (tx, method) => {
    if (method.checkoutSessionId === undefined) return;
    const session = await tx.get(CHECKOUT_SESSIONS, method.checkoutSessionId);
    if (!session) throw new Error(`checkout session ${method.checkoutSessionId} is gone`);
    const decision = followMethod(session, method, clock());
    if (decision) await tx.record(CHECKOUT_SESSIONS, session, decision);
  };

/** A session is paid by one charge. Money for another one is given back. */
export const isSessionFree: IsFree = async (tx, charge) => {
  if (charge.checkoutSessionId === undefined) return null;
  const session = await tx.get(CHECKOUT_SESSIONS, charge.checkoutSessionId);
  if (!session) throw new Error(`checkout session ${charge.checkoutSessionId} is gone`);
  return isFreeFor(session, charge) && (await hasFreePlace(tx, session));
};
