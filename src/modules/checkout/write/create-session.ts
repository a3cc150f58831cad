import { type InputFault, invalidInput, notFound } from '../../../kernel/errors.ts';
import type { Command } from '../../../kernel/event.ts';
import { amountProblem, isCurrency, type Minor, toMinor } from '../../../kernel/money.ts';
import {
  asMerchant,
  type MerchantPrincipal,
  type Principal,
  permissionMissing,
} from '../../../kernel/principal.ts';
import { type FindById, findVisible } from '../../../platform/write-store/read-resource.ts';
import type { Creating } from '../../../platform/write-store/transaction.ts';
import { allowedSplit } from '../../charges/write/allowed-split.ts';
import { type ChargeBody, detailFaults, itemOf } from '../../charges/write/charge-request.ts';
import { type CustomerRecord, documentFaults, keptDocument } from '../../customers/write/customer.ts';
import { holdCustomer } from '../../customers/write/hold-customer.ts';
import { customerOwnerOnly } from '../../customers/write/refusals.ts';
import type { FindMerchants } from '../../merchants/write/find-merchants.store.ts';
import { merchantNotActive } from '../../merchants/write/refusals.ts';
import type { ListPaymentMethods } from '../../payment-methods/list-payment-methods.ts';
import type { PaymentType } from '../../providers/provider.ts';
import { paymentMethodNotAvailable } from '../../providers/refusals.ts';
import { usablePlan } from '../../subscriptions/write/create-subscription.ts';
import type { Plan } from '../../subscriptions/write/plan.ts';
import {
  CHECKOUT_SESSIONS,
  type CheckoutSession,
  later,
  openSession,
  type SessionCustomer,
} from './checkout-session.ts';
import { offersOf } from './offers.ts';
import { newPageAddress } from './page-address.ts';

/** The body of POST /v1/checkout-sessions after its shape was validated. */
type SessionRequest = Pick<
  CheckoutSession,
  | 'description'
  | 'methods'
  | 'maxInstallments'
  | 'saveMethod'
  | 'showSaved'
  | 'mode'
  | 'locale'
  | 'returnUrl'
  | 'cancelUrl'
  | 'postbackUrl'
  | 'reference'
  | 'split'
> & {
  /** Null where nothing is paid. */
  readonly amount: number | null;
  /** Absent where the plan has it. */
  readonly currency?: string;
  readonly planId?: string;
  readonly items: NonNullable<ChargeBody['items']> | null;
  readonly customer: Partial<SessionCustomer> | null;
  readonly customerId: string | null;
  readonly metadata: object | null;
  /** In seconds. */
  readonly expiresIn: number;
};

/** Opens a page on which a payer pays once. 404 for a customer that is not the merchant's. */
export type CreateCheckoutSession = Command<
  { readonly principal: Principal; readonly request: SessionRequest },
  CheckoutSession
>;

/** A page for storing a card offers no other method and asks for the payer's consent. */
export const CARD_TERMS = { methods: ['credit_card'], maxInstallments: 1, saveMethod: 'always' } as const;

type Deps = Creating & {
  readonly findMerchants: FindMerchants;
  readonly findCustomer: FindById<CustomerRecord>;
  readonly listPaymentMethods: ListPaymentMethods;
  readonly findPlan: FindById<Plan>;
  readonly publicUrl: () => string;
};

export const createCheckoutSessionHandler =
  (deps: Deps): CreateCheckoutSession =>
  async ({ principal, request }, context) => {
    const seller = asMerchant(principal);
    const { merchantId, masterId, livemode } = seller;
    const plan = await planOf(deps, seller, request);
    const { metadata, customer, ...read } = readRequest(request);
    const amount = plan?.amount ?? read.amount;
    const currency = plan?.currency ?? request.currency ?? '';
    const [merchant] = await deps.findMerchants([merchantId]);
    if (merchant?.status !== 'active') throw merchantNotActive();
    const payer = request.customerId === null ? null : await ownCustomer(deps, seller, request.customerId);
    const terms = request.mode === 'payment' ? request : CARD_TERMS;
    await assertPayable(deps, seller, { ...terms, currency });
    const split = await allowedSplit(deps.findMerchants, merchant, request.split, livemode);
    const now = deps.clock();
    const { expiresIn, items, customerId: _, ...facts } = { ...request, ...terms };
    const opened = openSession(
      {
        ...facts,
        id: deps.newId('chk'),
        merchantId,
        masterId,
        livemode,
        currency,
        planId: plan?.id ?? null,
        ...newPageAddress(deps.publicUrl(), 'checkout'),
        paymentLinkId: null,
        amount,
        items: items?.map(itemOf) ?? null,
        metadata,
        customer,
        customerId: payer?.id ?? null,
        split,
        expiresAt: later(now, expiresIn * 1_000),
      },
      now,
    );
    return deps.transact(context, async (tx) => {
      if (payer) await holdCustomer(tx, payer.id);
      return tx.record(CHECKOUT_SESSIONS, null, opened);
    });
  };

/** Checks the rules of a request that a schema cannot express; 400 with every fault. */
const readRequest = (
  request: SessionRequest,
): {
  readonly amount: Minor | null;
  readonly metadata: string | null;
  readonly customer: SessionCustomer | null;
} => {
  const { currency = '', items, customer, customerId, saveMethod, showSaved } = request;
  const isPaid = request.amount !== null;
  const amount = request.amount !== null && isCurrency(currency) ? toMinor(request.amount, currency) : null;
  const problem = isPaid && isCurrency(currency) ? amountProblem(amount) : null;
  const metadata = request.metadata === null ? null : JSON.stringify(request.metadata);
  const document = customer?.document ? keptDocument(customer.document) : null;
  const faults: readonly InputFault[] = [
    ...(problem === null ? [] : [{ path: 'amount', message: `amount ${problem}` }]),
    ...documentFaults(document, 'customer.document.id'),
    ...detailFaults(metadata, items),
    ...(saveMethod !== 'never' && customerId === null
      ? [{ path: 'customerId', message: 'customerId is required where saveMethod is not never' }]
      : []),
    ...(showSaved && customerId === null
      ? [{ path: 'customerId', message: 'customerId is required where showSaved is true' }]
      : []),
  ];
  if (faults.length > 0) throw invalidInput(faults);
  const { name = null, email = null, phone = null, address = null } = customer ?? {};
  return { amount, metadata, customer: customer && { name, email, phone, document, address } };
};

/** The plan that a session or a link sells. 403 without the permission to subscribe, 400 for another currency. */
export const planOf = async (
  { findPlan }: Pick<Deps, 'findPlan'>,
  seller: MerchantPrincipal,
  { planId, currency }: Pick<SessionRequest, 'planId' | 'currency'>,
): Promise<Plan | null> => {
  if (planId === undefined) return null;
  if (!seller.permissions.includes('subscriptions.manage')) throw permissionMissing('subscriptions.manage');
  const plan = await usablePlan(findPlan, seller, planId);
  const path = 'currency';
  if (currency !== undefined && currency !== plan.currency)
    throw invalidInput([{ path, message: `${path} must be that of the plan, ${plan.currency}` }]);
  return plan;
};

const ownCustomer = async (
  { findCustomer }: Pick<Deps, 'findCustomer'>,
  seller: MerchantPrincipal,
  id: string,
): Promise<CustomerRecord> => {
  const customer = await findVisible(findCustomer, seller, id, 'Customer');
  if (customer.merchantId !== seller.merchantId) throw customerOwnerOnly();
  if (customer.deletedAt !== null) throw notFound('Customer');
  return customer;
};

/** 422 PAYMENT_METHOD_NOT_AVAILABLE for a method that the merchant cannot use, or where it can use none. */
export const assertPayable = async (
  { listPaymentMethods }: Pick<Deps, 'listPaymentMethods'>,
  seller: Pick<MerchantPrincipal, 'merchantId' | 'livemode'>,
  { methods, currency, maxInstallments }: Pick<CheckoutSession, 'methods' | 'currency' | 'maxInstallments'>,
): Promise<void> => {
  const offered = offersOf(await listPaymentMethods(seller, currency), { methods, maxInstallments });
  const isOffered = (type: PaymentType): boolean => offered.some((offer) => offer.type === type);
  const missing = methods?.find((type) => !isOffered(type));
  if (missing !== undefined) throw paymentMethodNotAvailable(missing, currency);
  if (offered.length === 0) throw paymentMethodNotAvailable('credit_card', currency);
};
