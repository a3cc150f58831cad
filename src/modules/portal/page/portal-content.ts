import { tenantOf } from '../../../kernel/tenant.ts';
import type { FindById } from '../../../platform/write-store/read-resource.ts';
import type { FindStatuses } from '../../charges/write/charge.store.ts';
import type { Charge, ChargeStatus } from '../../charges/write/charge.ts';
import type { FindShop, Shop } from '../../checkout-settings/read/find-shop.ts';
import { isOn, PORTAL_CANCEL } from '../../merchants/write/setting.ts';
import type { FindSetting } from '../../merchants/write/settings.store.ts';
import { qrImage } from '../../providers/pix/qr-image.ts';
import type { StoredMethod } from '../../stored-methods/write/stored-method.ts';
import { openPageOf } from '../../subscriptions/read/list-cycles.ts';
import { type Cycle, cycleId } from '../../subscriptions/write/cycle.ts';
import type { Plan } from '../../subscriptions/write/plan.ts';
import type { Subscription } from '../../subscriptions/write/subscription.ts';
import type { FindPaidCycles } from '../../subscriptions/write/subscriptions.store.ts';
import { isPaidByCard } from '../write/change-card.ts';
import type { OpenPage } from '../write/find-portal.ts';
import type { Portal } from '../write/portal.ts';

/** A cycle that was paid, with its charge as it is now. */
export type PaidCycle = {
  readonly cycle: Cycle;
  readonly chargeId: Charge['id'];
  readonly status: ChargeStatus | null;
};

/** Everything that a payer's page shows. */
export type PortalContent = {
  readonly portal: Portal;
  readonly subscription: Subscription;
  readonly merchant: Shop;
  readonly plan: Plan | null;
  readonly method: StoredMethod | null;
  /** Newest first, as many as one page shows. */
  readonly paid: readonly PaidCycle[];
  /** Whether newer payments exist than those shown, and whether older ones do. */
  readonly more: { readonly newer: boolean; readonly older: boolean };
  /** Something that the payer is to pay now; null for nothing. */
  readonly waiting: Waiting | null;
  /** Address of the bank at which the holder of another card has to authenticate; null if no card waits. */
  readonly pending: { readonly authenticationUrl: string | null } | null;
  readonly takesCards: boolean;
  readonly canCancel: boolean;
};

/**
 * A charge with its Pix code as an image (a data URL), or a page of the gateway on which the payer chooses how to pay.
 */
export type Waiting =
  | { readonly charge: Charge; readonly qrCode: string | null; readonly cycle: null }
  | { readonly charge: null; readonly cycle: Cycle; readonly url: string };

/** `below` is the number of a cycle: payments of earlier ones are shown; null shows the latest ones. */
export type GetPortalContent = (page: OpenPage, below: number | null) => Promise<PortalContent>;

type Deps = {
  readonly findPaidCycles: FindPaidCycles;
  readonly findCycle: FindById<Cycle>;
  readonly findStatuses: FindStatuses;
  readonly findCharge: FindById<Charge>;
  readonly findPlan: FindById<Plan>;
  readonly findMethod: FindById<StoredMethod>;
  readonly findSetting: FindSetting;
  readonly findShop: FindShop;
};

const SHOWN_PAYMENTS = 60;

export const createGetPortalContent =
  (deps: Deps): GetPortalContent =>
  async ({ portal, subscription, takesCards }, below) => {
    const tenantId = tenantOf(portal);
    const { planId, paymentMethodId } = subscription;
    const [cycles, merchant, plan, method, pending, setting] = await Promise.all([
      // Reads one more, which tells whether there are others.
      deps.findPaidCycles(subscription, { below, limit: SHOWN_PAYMENTS + 1 }),
      deps.findShop(portal.merchantId),
      planId ? deps.findPlan(planId, tenantId) : null,
      paymentMethodId ? deps.findMethod(paymentMethodId, tenantId) : null,
      portal.pendingMethodId ? deps.findMethod(portal.pendingMethodId, tenantId) : null,
      deps.findSetting(portal.merchantId, PORTAL_CANCEL),
    ]);
    const paid = paidOf(cycles).slice(0, SHOWN_PAYMENTS);
    const statuses = await deps.findStatuses(
      paid.map(({ chargeId }) => chargeId),
      tenantId,
    );
    return {
      portal,
      subscription,
      merchant,
      plan,
      method,
      paid: paid.map((one) => ({ ...one, status: statuses.get(one.chargeId) ?? null })),
      more: { newer: below !== null, older: cycles.length > SHOWN_PAYMENTS },
      waiting: await waitingFor(subscription, deps),
      pending: pending && { authenticationUrl: pending.authenticationUrl },
      takesCards: isPaidByCard(subscription) && takesCards,
      canCancel: isOn(setting) && subscription.endedAt === null,
    };
  };

/** Paid cycles with the charges that paid them. */
const paidOf = (cycles: readonly Cycle[]): readonly Omit<PaidCycle, 'status'>[] =>
  cycles.flatMap((cycle) => {
    const chargeId = cycle.attempts.find(({ outcome }) => outcome === 'paid')?.chargeId;
    return chargeId ? [{ cycle, chargeId }] : [];
  });

/** A charge or a page that waits for its payer; null for a charge that a card pays. */
const waitingFor = async (
  subscription: Subscription,
  { findCharge, findCycle }: Pick<Deps, 'findCharge' | 'findCycle'>,
): Promise<Waiting | null> => {
  const { collecting, collection, id } = subscription;
  if (collection === 'automatic' || collecting === null) return null;
  const { chargeId, pageId, cycle: number } = collecting;
  if (pageId) {
    const cycle = await findCycle(cycleId(id, number), tenantOf(subscription));
    const page = cycle && openPageOf(cycle, collecting);
    return page && { charge: null, cycle, url: page.url };
  }
  if (!chargeId) return null;
  const charge = await findCharge(chargeId, tenantOf(subscription));
  if (charge?.status !== 'pending' || charge.instructions === null) return null;
  const { instructions } = charge;
  const qrCode = instructions.type === 'pix' ? await qrImage(instructions.copyPaste) : null;
  return { charge, qrCode, cycle: null };
};
