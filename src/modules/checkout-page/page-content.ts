import type { Clock } from '../../kernel/clock.ts';
import { tenantOf } from '../../kernel/tenant.ts';
import type { FindById } from '../../platform/write-store/read-resource.ts';
import type { Charge } from '../charges/write/charge.ts';
import type { CheckoutSession, SessionCustomer } from '../checkout/write/checkout-session.ts';
import { offersOf, type SessionOffer, withoutLasting } from '../checkout/write/offers.ts';
import { hasPlace, isLinkPast, type LinkPlaces, type PaymentLink } from '../checkout/write/payment-link.ts';
import type { FindShop, Shop } from '../checkout-settings/read/find-shop.ts';
import type { CustomerRecord } from '../customers/write/customer.ts';
import type { ListPaymentMethods } from '../payment-methods/list-payment-methods.ts';
import { validUntil } from '../providers/card.ts';
import { qrImage } from '../providers/pix/qr-image.ts';
import type { StoredMethod } from '../stored-methods/write/stored-method.ts';
import type { ActiveCard, FindActiveCards } from '../stored-methods/write/stored-methods.store.ts';
import type { Plan } from '../subscriptions/write/plan.ts';
import type { Subscription } from '../subscriptions/write/subscription.ts';

/** Everything that the page of a session shows. */
export type PageContent = {
  readonly session: CheckoutSession;
  readonly merchant: Shop;
  /** The charge that is under way or has paid; else the last one, which has ended; null before the first. */
  readonly charge: Charge | null;
  /** The plan that the payer subscribes to; null in other modes. */
  readonly plan: Plan | null;
  /** The card that is being kept, or was; null on a page that takes a payment. */
  readonly method: StoredMethod | null;
  /** Pays by an image (a data URL); null for a method without one. */
  readonly image: string | null;
  /** Why the payment link of the session takes no payment at the moment; null where it does, and without a link. */
  readonly taken: Taken | null;
  /** Whether only so many payers can pay: then nobody holds a place for long. */
  readonly isLimited: boolean;
  /** Stored cards that the payer may choose from; empty unless the session shows them. */
  readonly saved: readonly ActiveCard[];
  /** Empty unless a charge may begin. */
  readonly offers: readonly SessionOffer[];
  /** The payer, as far as the session or its customer tells. */
  readonly known: SessionCustomer;
};

/** `paid` as often as it may be, `held` by others who may still not pay, or `inactive`. */
export type Taken = 'paid' | 'held' | 'inactive';

/** Whether a link can be paid, as payers are told. */
export const takenOf = (link: PaymentLink, places: LinkPlaces | null, now: Date): Taken | null => {
  if (link.status === 'completed') return 'paid';
  if (link.status !== 'active' || isLinkPast(link, now)) return 'inactive';
  return hasPlace(link, places?.held ?? [], null) ? null : 'held';
};

export type GetPageContent = (session: CheckoutSession) => Promise<PageContent>;

const NOBODY: SessionCustomer = { name: null, email: null, phone: null, document: null, address: null };

type Deps = {
  readonly findCharge: FindById<Charge>;
  readonly findCustomer: FindById<CustomerRecord>;
  readonly findActiveCards: FindActiveCards;
  readonly findShop: FindShop;
  readonly listPaymentMethods: ListPaymentMethods;
  readonly findPlan: FindById<Plan>;
  readonly findSubscription: FindById<Subscription>;
  readonly findMethod: FindById<StoredMethod>;
  readonly findLink: FindById<PaymentLink>;
  readonly findLinkPlaces: FindById<LinkPlaces>;
  readonly clock: Clock;
};

export const createGetPageContent =
  (deps: Deps): GetPageContent =>
  async (session) => {
    const tenantId = tenantOf(session);
    const { customerId, merchantId, livemode, currency } = session;
    const chargeId = session.chargeId ?? session.chargeIds.at(-1);
    const [merchant, charge, plan, method, customer, standing, offers, cards] = await Promise.all([
      deps.findShop(merchantId),
      chargeId === undefined ? findFirstCharge(session, deps) : deps.findCharge(chargeId, tenantId),
      session.planId ? deps.findPlan(session.planId, tenantId) : null,
      session.paymentMethodId ? deps.findMethod(session.paymentMethodId, tenantId) : null,
      customerId === null ? null : deps.findCustomer(customerId, tenantId),
      standingOf(session, deps),
      session.status === 'open' ? deps.listPaymentMethods({ merchantId, livemode }, currency) : [],
      session.status === 'open' && session.showSaved && customerId !== null
        ? deps.findActiveCards(customerId, tenantId)
        : [],
    ]);
    const usable = offersOf(offers, withoutLasting(session, standing.isLimited));
    return {
      session,
      ...standing,
      merchant,
      charge,
      plan,
      method,
      image: session.status === 'processing' && charge ? await imageOf(charge) : null,
      offers: usable,
      saved: payableWith(usable, cards, deps.clock()),
      known: session.customer ?? (customer ? factsOf(customer) : NOBODY),
    };
  };

/** The stored cards of brands that the shop takes and that have not expired. */
const payableWith = (
  offers: readonly SessionOffer[],
  cards: readonly ActiveCard[],
  now: Date,
): readonly ActiveCard[] => {
  const brands = offers.find(({ type }) => type === 'credit_card')?.brands ?? [];
  return cards.filter(({ card }) => brands.includes(card.brand) && validUntil(card) > now);
};

/** The first charge of the subscription that is under way. */
const findFirstCharge = async (
  session: CheckoutSession,
  deps: Pick<Deps, 'findSubscription' | 'findCharge'>,
): Promise<Charge | null> => {
  const { subscriptionId = null } = session;
  const subscription = subscriptionId && (await deps.findSubscription(subscriptionId, tenantOf(session)));
  const chargeId = subscription ? subscription.latestChargeId : null;
  return chargeId && deps.findCharge(chargeId, tenantOf(session));
};

/** How the link of a session that is still to be paid stands. */
const standingOf = async (
  { status, paymentLinkId, ...owner }: CheckoutSession,
  deps: Pick<Deps, 'findLink' | 'findLinkPlaces' | 'clock'>,
): Promise<Pick<PageContent, 'taken' | 'isLimited'>> => {
  if (status !== 'open' || paymentLinkId === null) return { taken: null, isLimited: false };
  const tenantId = tenantOf(owner);
  const [link, places] = await Promise.all([
    deps.findLink(paymentLinkId, tenantId),
    deps.findLinkPlaces(paymentLinkId, tenantId),
  ]);
  if (!link) throw new Error(`payment link ${paymentLinkId} is gone`);
  return { taken: takenOf(link, places, deps.clock()), isLimited: link.maxPayments !== null };
};

const factsOf = ({ name, email, phone, document, address }: CustomerRecord): SessionCustomer => ({
  name,
  email,
  phone,
  document,
  address: address && { country: address.country },
});

const imageOf = async ({ instructions }: Charge): Promise<string | null> => {
  if (instructions?.type === 'pix') return qrImage(instructions.copyPaste);
  return instructions?.type === 'qrcode' ? qrImage(instructions.payUrl) : null;
};
