import { timestamp } from '../../../kernel/clock.ts';
import { GatewayError } from '../../../kernel/errors.ts';
import type { Command, CommandContext } from '../../../kernel/event.ts';
import { tenantOf } from '../../../kernel/tenant.ts';
import type { FindById } from '../../../platform/write-store/read-resource.ts';
import type { Changing } from '../../../platform/write-store/transaction.ts';
import type { MakeCardToken } from '../../card-tokens/write/make-card-token.ts';
import type { Card } from '../../providers/provider.ts';
import type { StoreCard } from '../../stored-methods/write/store-card.ts';
import type { StoredMethod } from '../../stored-methods/write/stored-method.ts';
import type { UpdateSubscription } from '../../subscriptions/write/manage-subscription.ts';
import type { Subscription } from '../../subscriptions/write/subscription.ts';
import { contextOf, type OpenPage } from './find-portal.ts';
import { afterCard, PORTALS, type Portal, takesCards, tryCard } from './portal.ts';

/**
 * The result of a change to another card. `pending`: the holder has to authenticate. `unpaid`: the card is stored, but
 * the open payment was refused. `exhausted`: this address takes no further card. `needless`: the subscription is not
 * paid by card or has ended. `later`: a temporary fault. Faults name members of the card.
 */
export type CardChanged =
  | { readonly outcome: 'changed' | 'pending' | 'unpaid' | 'refused' | 'exhausted' | 'needless' | 'later' }
  | { readonly outcome: 'faults'; readonly fields: readonly string[] };

/** Stores another card with the payer's consent, and pays the subscription with it from now on. */
export type ChangeCard = Command<
  {
    readonly page: OpenPage;
    readonly card: Card;
    /** Network address of the payer. */
    readonly address: string;
    /** The address to which the bank sends the payer back. */
    readonly returnUrl: string;
  },
  CardChanged
>;

/**
 * A card whose holder had to authenticate. It pays the subscription once the bank confirms the holder. Null if no card
 * waited.
 */
export type SettlePendingCard = Command<OpenPage, CardChanged | null>;

type Deps = Changing & {
  readonly makeCardToken: MakeCardToken;
  readonly storeCard: StoreCard;
  readonly updateSubscription: UpdateSubscription;
  readonly findMethod: FindById<StoredMethod>;
};

export const createChangeCard = (deps: Deps): ChangeCard => {
  const note = createNote(deps);
  const settle = createSettlePendingCard(deps);
  const begin = (portal: Portal, context: CommandContext): Promise<Portal | null> =>
    deps.transact(context, async (tx) => {
      const fresh = await tx.get(PORTALS, portal.id);
      return fresh && takesCards(fresh, 0) ? tx.update(PORTALS, fresh, tryCard(fresh, deps.clock())) : null;
    });
  return async ({ page, card, address, returnUrl }, given) => {
    const { payer } = page;
    if (!isPaidByCard(page.subscription)) return { outcome: 'needless' };
    const context = contextOf(page.portal, given);
    const portal = page.takesCards ? await begin(page.portal, context) : null;
    if (!portal) return { outcome: 'exhausted' };
    const { customerId, pendingMethodId } = portal;
    try {
      const { id: token } = await deps.makeCardToken({ principal: payer, card, address }, context);
      const consentAt = timestamp(deps.clock());
      const method = await deps.storeCard(
        { principal: payer, customerId, token, consentAt, returnUrl },
        context,
      );
      if (method.status === 'failed') return { outcome: 'refused' };
      const noted = await note(portal, { pendingMethodId: method.id, isGood: false }, context);
      return (await settle({ ...page, portal: noted }, given)) ?? { outcome: 'later' };
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      const isGood = error.code !== 'CARD_REFUSED';
      if (isGood) await note(portal, { pendingMethodId, isGood }, context);
      return failureOf(error);
    }
  };
};

const failureOf = ({ statusCode, code, errors }: GatewayError): CardChanged => {
  if (statusCode === 400) return { outcome: 'faults', fields: (errors ?? []).map(({ path }) => path) };
  return { outcome: code === 'CARD_REFUSED' ? 'refused' : 'later' };
};

/**
 * If a process ends between two of these steps, the card stays pending, and the page finishes the change later.
 */
export const createSettlePendingCard = (
  deps: Omit<Deps, 'makeCardToken' | 'storeCard'>,
): SettlePendingCard => {
  const note = createNote(deps);
  return async ({ portal, subscription, payer }, given) => {
    if (portal.pendingMethodId === null) return null;
    const context = contextOf(portal, given);
    const method = await deps.findMethod(portal.pendingMethodId, tenantOf(portal));
    if (method?.status === 'pending') return { outcome: 'pending' };
    const paysWith = async ({ id }: StoredMethod): Promise<'changed' | 'unpaid' | 'needless'> => {
      const changes = { paymentMethodId: id };
      try {
        const updated = await deps.updateSubscription(
          { principal: payer, id: subscription.id, changes },
          context,
        );
        return isUnpaid(subscription, updated) ? 'unpaid' : 'changed';
      } catch (error) {
        // It has ended meanwhile.
        if (error instanceof GatewayError && error.statusCode < 500) return 'needless';
        throw error;
      }
    };
    const outcome = method?.status === 'active' ? await paysWith(method) : 'refused';
    await note(
      portal,
      { pendingMethodId: null, isGood: outcome === 'changed' || outcome === 'needless' },
      context,
    );
    return { outcome };
  };
};

/** Whether a card has anything to pay. */
export const isPaidByCard = ({ collection, endedAt }: Subscription): boolean =>
  collection === 'automatic' && endedAt === null;

/** Whether an attempt with the new card was made at once, and is refused. */
const isUnpaid = (before: Subscription, after: Subscription): boolean =>
  after.latestChargeId !== before.latestChargeId &&
  after.status !== 'active' &&
  after.collecting?.chargeId !== after.latestChargeId;

/** Records the result of a card. */
const createNote =
  ({ transact, clock }: Changing) =>
  (portal: Portal, tried: Parameters<typeof afterCard>[1], context: CommandContext): Promise<Portal> =>
    transact(context, async (tx) => {
      const fresh = await tx.get(PORTALS, portal.id);
      if (!fresh) throw new Error(`portal ${portal.id} is gone`);
      return tx.update(PORTALS, fresh, afterCard(fresh, tried, clock()));
    });
