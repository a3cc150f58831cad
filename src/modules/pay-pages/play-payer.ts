import { notFound } from '../../kernel/errors.ts';
import type { Command } from '../../kernel/event.ts';
import type { EnvironmentTime } from '../../platform/environment-time.ts';
import { equalInConstantTime } from '../../platform/secrets.ts';
import { type Charge, EXPIRED, isOver } from '../charges/write/charge.ts';
import { paidOn } from '../charges/write/simulate-outcome.ts';
import type { TakeInNotification } from '../provider-notifications/write/receive-notification.ts';
import type { Simulator } from '../providers/simulator/simulator.ts';
import { payUrlOf } from './pay-page.ts';

/**
 * The charge whose payable page has this address; 404 where there is none. In the live environment only a Pix has a page
 * of the gateway.
 */
export type FindPayable = (id: string, token: string) => Promise<Charge>;

export const createFindPayable =
  (findCharge: (id: string) => Promise<Charge | null>): FindPayable =>
  async (id, token) => {
    const charge = await findCharge(id);
    const url = charge && (!charge.livemode || charge.payUrl !== undefined) ? payUrlOf(charge) : null;
    if (!charge || url === null || !equalInConstantTime(url.slice(url.lastIndexOf('/') + 1), token))
      throw notFound('Page');
    return charge;
  };

/**
 * Plays the payer at the simulator, which then notifies the gateway as any provider would. A payment that is decided
 * already stays as it is.
 */
export type PlayPayer = Command<
  { readonly id: string; readonly token: string; readonly pays: boolean },
  void
>;

export const createPlayPayer =
  (deps: {
    readonly findPayable: FindPayable;
    readonly simulator: Simulator;
    readonly takeIn: TakeInNotification;
    readonly time: Pick<EnvironmentTime, 'now'>;
  }): PlayPayer =>
  async ({ id, token, pays }, context) => {
    const { simulator } = deps;
    const charge = await deps.findPayable(id, token);
    if (charge.livemode) throw notFound('Page');
    const at = await deps.time.now(charge.livemode);
    if (charge.status === 'pending')
      await simulator.resolvePayment(charge.id, {
        status: pays ? 'paid' : 'failed',
        failureReason: pays ? null : 'failed_by_payer',
        at,
        ...paidOn(charge, at),
      });
    else if (isOver(charge) && pays) await simulator.payLate(charge.id, tooLate(charge, at));
    const notification = await simulator.notificationOf(charge.id, charge.livemode);
    if (notification) await deps.takeIn({ provider: simulator.name, notification }, context);
  };

/**
 * A test helper lets the time to pay pass early. A payer who pays after that still comes after the expiry.
 */
const tooLate = ({ expiresAt, failureReason }: Charge, at: Date): Date =>
  failureReason === EXPIRED && expiresAt !== null && expiresAt > at.toISOString() ? new Date(expiresAt) : at;
