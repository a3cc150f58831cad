import type { CommandContext } from '../../../kernel/event.ts';
import type { CheckoutSessionId } from '../../../kernel/ids.ts';
import { tenantOf } from '../../../kernel/tenant.ts';
import type { FindById } from '../../../platform/write-store/read-resource.ts';
import type { Creating } from '../../../platform/write-store/transaction.ts';
import type { EndCharge } from '../../charges/write/cancel-charge.ts';
import { CANCELLED, type Charge, EXPIRED, isStillAsked } from '../../charges/write/charge.ts';
import { isNotCancellable } from '../../charges/write/refusals.ts';
import type { FindMerchants } from '../../merchants/write/find-merchants.store.ts';
import { merchantNotActive } from '../../merchants/write/refusals.ts';
import type { ListPaymentMethods } from '../../payment-methods/list-payment-methods.ts';
import type { CyclePages } from '../../subscriptions/write/cycle-pages.ts';
import type { Plan } from '../../subscriptions/write/plan.ts';
import type { Subscription } from '../../subscriptions/write/subscription.ts';
import {
  CHECKOUT_SESSIONS,
  type CheckoutSession,
  closeSession,
  later,
  openSession,
} from './checkout-session.ts';
import { assertPayable } from './create-session.ts';
import { newPageAddress } from './page-address.ts';
import type { RecordSession } from './record-session.ts';

type Deps = Creating & {
  readonly findMerchants: FindMerchants;
  readonly findPlan: FindById<Plan>;
  readonly findCharge: FindById<Charge>;
  readonly findSession: FindById<CheckoutSession>;
  readonly listPaymentMethods: ListPaymentMethods;
  readonly endCharge: EndCharge;
  readonly recordSession: RecordSession;
  readonly publicUrl: () => string;
};

/** A customer chooses the method and nothing else. */
const TERMS = { methods: null, maxInstallments: 1, saveMethod: 'never', mode: 'payment' } as const;

/** Sessions on which customers pay the cycles of subscriptions. */
export const createCyclePages = (deps: Deps): CyclePages => {
  const close = createClose(deps);
  return {
    open: createOpen(deps),
    close: (id, owner, context) =>
      close({ id, owner, as: 'not_awaited', reason: CANCELLED, hasTime: () => false }, context),
    expire: (id, owner, at, context) =>
      close(
        {
          id,
          owner,
          as: 'expired',
          reason: EXPIRED,
          hasTime: ({ expiresAt }) => expiresAt !== null && expiresAt > at,
        },
        context,
      ),
  };
};

const createOpen =
  (deps: Deps): CyclePages['open'] =>
  async ({ subscription, cycle, forMs, claim }, context) => {
    const { merchantId, masterId, livemode, customerId, planId, split, reference } = subscription;
    const { amount, currency } = cycle;
    const [merchant] = await deps.findMerchants([merchantId]);
    if (merchant?.status !== 'active') throw merchantNotActive();
    await assertPayable(deps, { merchantId, livemode }, { ...TERMS, currency });
    const plan = planId && (await deps.findPlan(planId, tenantOf(subscription)));
    const now = deps.clock();
    const opened = openSession(
      {
        ...TERMS,
        ...{ merchantId, masterId, livemode, customerId, amount, currency, split, reference },
        id: deps.newId('chk'),
        ...newPageAddress(deps.publicUrl(), 'checkout'),
        cycle: { subscriptionId: subscription.id, number: cycle.number },
        paymentLinkId: null,
        description: subscription.description ?? (plan ? plan.name : null),
        items: null,
        customer: null,
        locale: null,
        returnUrl: null,
        cancelUrl: null,
        postbackUrl: null,
        metadata: null,
        expiresAt: later(now, forMs),
      },
      now,
    );
    await deps.transact(context, async (tx) => {
      const { id, url } = await tx.record(CHECKOUT_SESSIONS, null, opened);
      await claim(tx, { id, url });
    });
  };

type Closing = {
  readonly id: CheckoutSessionId;
  readonly owner: Subscription;
  readonly as: Parameters<typeof closeSession>[1];
  readonly reason: typeof CANCELLED | typeof EXPIRED;
  /** Whether a payment that has begun may go on. */
  hasTime(charge: Charge): boolean;
};

const createClose =
  (deps: Deps) =>
  async ({ id, owner, as, reason, hasTime }: Closing, context: CommandContext): Promise<void> => {
    const session = await deps.findSession(id, tenantOf(owner));
    if (!session) return;
    const charge = session.chargeId && (await deps.findCharge(session.chargeId, tenantOf(owner)));
    if (session.status === 'processing' && charge) {
      if (hasTime(charge)) return;
      try {
        await deps.endCharge(charge, context, reason);
      } catch (error) {
        if (!isNotCancellable(error) || isStillAsked(charge)) throw error;
        // The charge is paid, was refused, or will end by itself; the session does not open again after that.
        return;
      }
    }
    await deps.transact(context, async (tx) => {
      const fresh = await tx.get(CHECKOUT_SESSIONS, id);
      const decision = fresh && closeSession(fresh, as, deps.clock());
      if (decision) await deps.recordSession(tx, fresh, decision);
    });
  };
