import { tenantOf } from '../../../kernel/tenant.ts';
import type { FindById } from '../../../platform/write-store/read-resource.ts';
import type { FindStatuses } from '../../charges/write/charge.store.ts';
import type { Charge, ChargeStatus } from '../../charges/write/charge.ts';
import type { FindShop, Shop } from '../../checkout-settings/read/find-shop.ts';
import { isOn, PORTAL_CANCEL } from '../../merchants/write/setting.ts';
import type { FindSetting } from '../../merchants/write/settings.store.ts';
import { qrImage } from '../../providers/pix/qr-image.ts';
import type { StoredMethod } from '../../stored-methods/write/stored-method.ts';
import type { Cycle } from '../../subscriptions/write/cycle.ts';
import type { Plan } from '../../subscriptions/write/plan.ts';
import type { Subscription } from '../../subscriptions/write/subscription.ts';
import type { FindCycles } from '../../subscriptions/write/subscriptions.store.ts';
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
  /** Newest first. */
  readonly paid: readonly PaidCycle[];
  /** The charge that waits for the payer, with its Pix code as an image (a data URL). */
  readonly waiting: { readonly charge: Charge; readonly qrCode: string | null } | null;
  /** Address of the bank that has to confirm another card; null where none waits. */
  readonly pending: { readonly authenticationUrl: string | null } | null;
  readonly takesCards: boolean;
  readonly canCancel: boolean;
};

export type GetPortalContent = (page: OpenPage) => Promise<PortalContent>;

type Deps = {
  readonly findCycles: FindCycles;
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
  async ({ portal, subscription, takesCards }) => {
    const tenantId = tenantOf(portal);
    const { planId, paymentMethodId } = subscription;
    const [cycles, merchant, plan, method, pending, setting] = await Promise.all([
      deps.findCycles(subscription),
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
      waiting: await waitingFor(subscription, deps.findCharge),
      pending: pending && { authenticationUrl: pending.authenticationUrl },
      takesCards: isPaidByCard(subscription) && takesCards,
      canCancel: isOn(setting) && subscription.endedAt === null,
    };
  };

/** The paid cycles, newest first, with the charges that paid them. */
const paidOf = (cycles: readonly Cycle[]): readonly Omit<PaidCycle, 'status'>[] =>
  cycles
    .flatMap((cycle) => {
      const chargeId = cycle.attempts.find(({ outcome }) => outcome === 'paid')?.chargeId;
      return chargeId ? [{ cycle, chargeId }] : [];
    })
    .reverse();

/** A charge that waits for its payer; null for one that a card pays. */
const waitingFor = async (
  subscription: Subscription,
  findCharge: FindById<Charge>,
): Promise<PortalContent['waiting']> => {
  const chargeId = subscription.collecting?.chargeId;
  if (subscription.collection === 'automatic' || !chargeId) return null;
  const charge = await findCharge(chargeId, tenantOf(subscription));
  if (charge?.status !== 'pending' || charge.instructions === null) return null;
  const { instructions } = charge;
  return { charge, qrCode: instructions.type === 'pix' ? await qrImage(instructions.copyPaste) : null };
};
