import { dateOfDay, dayOf } from '../../../kernel/business-days.ts';
import { type InputFault, invalidInput, notFound } from '../../../kernel/errors.ts';
import type { Command } from '../../../kernel/event.ts';
import type { ChargeId, MerchantId } from '../../../kernel/ids.ts';
import { amountProblem, toMinor } from '../../../kernel/money.ts';
import { documentType, keptId } from '../../../kernel/national-id.ts';
import {
  asMerchant,
  type MerchantPrincipal,
  type Principal,
  tenantOfCaller,
} from '../../../kernel/principal.ts';
import { type FindById, findVisible } from '../../../platform/write-store/read-resource.ts';
import type { Creating } from '../../../platform/write-store/transaction.ts';
import type { CustomerRecord } from '../../customers/write/customer.ts';
import { holdCustomer } from '../../customers/write/hold-customer.ts';
import { customerOwnerOnly } from '../../customers/write/refusals.ts';
import type { FindMerchants } from '../../merchants/write/find-merchants.store.ts';
import type { Merchant } from '../../merchants/write/merchant.ts';
import { merchantNotActive } from '../../merchants/write/refusals.ts';
import { LIVE_PROVIDERS, routesOf } from '../../merchants/write/setting.ts';
import type { FindSetting } from '../../merchants/write/settings.store.ts';
import { pixDayOf } from '../../providers/pix/due-terms.ts';
import { DAYS_TO_START, isPossibleInterval, type MandateTerms } from '../../providers/pix/mandate-terms.ts';
import type { MandateKeeper, MandateState, Payer, ProvidersOf } from '../../providers/provider.ts';
import {
  mandateNotAvailable,
  paymentMethodNotAvailable,
  providerNotConfigured,
} from '../../providers/refusals.ts';
import type { RecordMandateState } from './record-stored-state.ts';
import { intervalNotSupported, mandateChargeNotPossible, methodLimitReached } from './refusals.ts';
import { mandateOrderOf, openMandate, type StoredMethod } from './stored-method.ts';
import { type FindMethodsOf, MAX_METHODS, STORED_METHODS } from './stored-methods.store.ts';

/** The request for a mandate after its shape was validated; amounts are decimal. */
type MandateRequest = Omit<MandateTerms, 'amount' | 'minimumAmount' | 'endDate'> & {
  readonly amount: number | null;
  readonly minimumAmount?: number;
  readonly endDate?: string;
  /** The charge that the payer pays along with approving. */
  readonly chargeId?: string;
};

/** A Pix that waits for its payer and is to be paid at once. */
type WaitingPix = {
  readonly id: ChargeId;
  readonly merchantId: MerchantId;
  readonly customerId: string;
  readonly provider: string;
};

/** Finds a charge that a mandate may be approved along with. Null for any other; 404 for one that nobody may see. */
export type FindWaitingPix = (principal: Principal, chargeId: string) => Promise<WaitingPix | null>;

/**
 * Asks a customer for a mandate of Pix Automático. 404 for a customer that the caller cannot see or that is deleted,
 * 403 for one of a sub-merchant; 422 PAYMENT_METHOD_LIMIT_REACHED, INTERVAL_NOT_SUPPORTED,
 * MANDATE_CHARGE_NOT_POSSIBLE, MERCHANT_NOT_ACTIVE,
 * PROVIDER_NOT_CONFIGURED, PAYMENT_METHOD_NOT_AVAILABLE and PIX_AUTOMATIC_NOT_AVAILABLE. Where the provider does not
 * answer the mandate is `pending` without a code, and a worker asks for it.
 */
export type EnrollMandate = Command<
  { readonly principal: Principal; readonly customerId: string; readonly request: MandateRequest },
  StoredMethod
>;

type Deps = Creating & {
  readonly pixFinders: readonly FindWaitingPix[];
  readonly findCustomer: FindById<CustomerRecord>;
  readonly findMerchants: FindMerchants;
  readonly findMethodsOf: FindMethodsOf;
  readonly findSetting: FindSetting;
  readonly providersOf: ProvidersOf;
  readonly recordMandateState: RecordMandateState;
  readonly intentGraceMs: number;
};

export const createEnrollMandate = (deps: Deps): EnrollMandate => {
  const findKeeper = createFindKeeper(deps);
  return async ({ principal, customerId, request }, context) => {
    const seller = asMerchant(principal);
    const { merchantId, masterId, livemode } = seller;
    const customer = await findVisible(deps.findCustomer, principal, customerId, 'Customer');
    if (customer.merchantId !== merchantId) throw customerOwnerOnly();
    const payer = payerOf(customer);
    const { chargeId = null, ...wanted } = request;
    const terms = readMandate(wanted, chargeId, deps.clock());
    const others = await deps.findMethodsOf(customer.id, tenantOfCaller(principal));
    if (others.length >= MAX_METHODS) throw methodLimitReached();
    const pix = await pixAlong(deps.pixFinders, principal, chargeId, customer);
    const { merchant, provider, keeper } = await findKeeper(seller, pix?.provider ?? null);
    const firstChargeId = pix?.id ?? null;
    const owner = { merchantId, masterId, livemode, customerId: customer.id };
    const facts = { id: deps.newId('pm'), ...owner, provider, terms, firstChargeId };
    const opened = openMandate(facts, deps.clock(), deps.intentGraceMs);
    const method = await deps.transact(context, async (tx) => {
      await holdCustomer(tx, customer.id);
      return tx.record(STORED_METHODS, null, opened);
    });
    // Where the provider does not answer, a worker asks for the outcome.
    const state = await keeper
      .enroll({
        ...mandateOrderOf(method),
        ...{ terms, firstCharge: firstChargeId, merchantName: merchant.legalName, payer },
      })
      .catch((): MandateState | null => null);
    return state ? deps.recordMandateState(method, state, context) : method;
  };
};

type Keeper = { readonly merchant: Merchant; readonly provider: string; readonly keeper: MandateKeeper };

/** The first of the merchant's providers for Pix that offers mandates, or the one with this name. */
const createFindKeeper =
  (deps: Deps) =>
  async ({ merchantId, livemode }: MerchantPrincipal, wanted: string | null): Promise<Keeper> => {
    const [[merchant], routes] = await Promise.all([
      deps.findMerchants([merchantId]),
      deps.findSetting(merchantId, LIVE_PROVIDERS),
    ]);
    if (merchant?.status !== 'active') throw merchantNotActive();
    const routed = { id: merchantId, masterId: merchant.masterId, routes: routesOf(routes) };
    const providers = await deps.providersOf(livemode, routed);
    if (!providers) throw providerNotConfigured();
    const takers = providers.providersFor('pix', 'BRL', null);
    if (takers.length === 0) throw paymentMethodNotAvailable('pix', 'BRL');
    for (const { name, mandates } of takers)
      if (mandates && (wanted === null || wanted === name))
        return { merchant, provider: name, keeper: mandates };
    throw mandateNotAvailable();
  };

/** The Pix that the payer makes along with approving; null where none is wanted. */
const pixAlong = async (
  finders: readonly FindWaitingPix[],
  principal: Principal,
  chargeId: string | null,
  { id, merchantId }: CustomerRecord,
): Promise<WaitingPix | null> => {
  if (chargeId === null) return null;
  for (const find of finders) {
    const pix = await find(principal, chargeId);
    if (pix?.customerId === id && pix.merchantId === merchantId) return pix;
  }
  throw mandateChargeNotPossible();
};

/** 400 for a customer without a CPF or CNPJ, by which institutions know the payer. */
const payerOf = ({ name, email, document, deletedAt }: CustomerRecord): Payer => {
  if (deletedAt !== null || name === null || email === null) throw notFound('Customer');
  const type = document ? documentType(document.type) : '';
  if (!document || !['cpf', 'cnpj'].includes(type))
    throw invalidInput([{ path: '', message: 'the customer must have a document of type cpf or cnpj' }]);
  return { name, email, document: { type, id: keptId(type, document.id) } };
};

/** The rules of a mandate that its shape cannot say; 400 with every fault, 422 INTERVAL_NOT_SUPPORTED. */
const readMandate = (
  request: Omit<MandateRequest, 'chargeId'>,
  chargeId: string | null,
  now: Date,
): MandateTerms => {
  const { amount, minimumAmount, startDate, endDate = null, ...others } = request;
  const fixed = amount === null ? null : toMinor(amount, 'BRL');
  const least = minimumAmount === undefined ? null : toMinor(minimumAmount, 'BRL');
  const earliest = pixDayOf(now) + DAYS_TO_START;
  const faults: InputFault[] = [
    ...(amount === null ? [] : amountFaults('amount', fixed)),
    ...(minimumAmount === undefined ? [] : amountFaults('minimumAmount', least)),
    ...(amount !== null && minimumAmount !== undefined
      ? [fault('minimumAmount', 'is for a mandate without an amount only')]
      : []),
    ...((request.journey === 'qr_with_payment') === (chargeId !== null)
      ? []
      : [fault('chargeId', 'is for the journey qr_with_payment, which needs it')]),
    ...(dayOf(startDate) < earliest
      ? [
          fault(
            'startDate',
            `must be ${dateOfDay(earliest)} or later, as the first charge is handed in days ahead`,
          ),
        ]
      : []),
    ...(endDate !== null && endDate < startDate ? [fault('endDate', 'must not be before startDate')] : []),
  ];
  if (faults.length > 0) throw invalidInput(faults);
  if (!isPossibleInterval(request))
    throw intervalNotSupported(
      'A mandate of Pix Automático recurs every week, or every 1, 3, 6 or 12 months',
    );
  return { ...others, startDate, endDate, amount: fixed, minimumAmount: least };
};

const amountFaults = (path: string, amount: number | null): readonly InputFault[] => {
  const problem = amountProblem(amount);
  return problem === null ? [] : [fault(path, problem)];
};

const fault = (path: string, problem: string): InputFault => ({ path, message: `${path} ${problem}` });
