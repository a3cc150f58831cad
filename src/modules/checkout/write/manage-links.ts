import { existing, type InputFault, invalidInput } from '../../../kernel/errors.ts';
import type { Command } from '../../../kernel/event.ts';
import { amountProblem, isCurrency, type Minor, toMinor } from '../../../kernel/money.ts';
import { asMerchant, type Principal, visible } from '../../../kernel/principal.ts';
import type { FindById } from '../../../platform/write-store/read-resource.ts';
import type { Changing, Creating, Transaction } from '../../../platform/write-store/transaction.ts';
import { allowedSplit } from '../../charges/write/allowed-split.ts';
import { type ChargeBody, detailFaults, itemOf } from '../../charges/write/charge-request.ts';
import type { FindMerchants } from '../../merchants/write/find-merchants.store.ts';
import { merchantNotActive } from '../../merchants/write/refusals.ts';
import type { ListPaymentMethods } from '../../payment-methods/list-payment-methods.ts';
import type { Plan } from '../../subscriptions/write/plan.ts';
import { assertPayable, CARD_TERMS, planOf } from './create-session.ts';
import { withoutLasting } from './offers.ts';
import { newPageAddress } from './page-address.ts';
import {
  cancelLink,
  changeLink,
  type LinkChanges,
  openLink,
  PAYMENT_LINKS,
  type PaymentLink,
  withLongestAnswers,
} from './payment-link.ts';
import { checkoutOwnerOnly } from './refusals.ts';

/**
 * The body of POST /v1/payment-links after its shape was validated: it has one of `amount`, `amountRange` and `planId`.
 */
type LinkRequest = Pick<
  PaymentLink,
  | 'description'
  | 'methods'
  | 'maxInstallments'
  | 'maxPayments'
  | 'fields'
  | 'ownFields'
  | 'returnUrl'
  | 'split'
  | 'reference'
  | 'expiresAt'
> & {
  readonly amount?: number;
  readonly amountRange?: { readonly min: number; readonly max: number };
  readonly planId?: string;
  /** Absent where the plan has it. */
  readonly currency?: string;
  readonly items: NonNullable<ChargeBody['items']> | null;
  readonly metadata: object | null;
};

type OfCaller = { readonly principal: Principal };

export type CreatePaymentLink = Command<OfCaller & { readonly request: LinkRequest }, PaymentLink>;

export const createPaymentLinkHandler =
  (
    deps: Creating & {
      readonly findMerchants: FindMerchants;
      readonly listPaymentMethods: ListPaymentMethods;
      readonly findPlan: FindById<Plan>;
      readonly publicUrl: () => string;
    },
  ): CreatePaymentLink =>
  async ({ principal, request }, context) => {
    const seller = asMerchant(principal);
    const { merchantId, masterId, livemode } = seller;
    const now = deps.clock();
    const read = readRequest(request, now);
    const [merchant] = await deps.findMerchants([merchantId]);
    if (merchant?.status !== 'active') throw merchantNotActive();
    const plan = await planOf(deps, seller, request);
    const currency = plan?.currency ?? request.currency ?? '';
    const { methods, maxInstallments } = plan ? CARD_TERMS : request;
    const offering = { methods, maxInstallments, currency };
    await assertPayable(deps, seller, withoutLasting(offering, request.maxPayments !== null));
    const split = await allowedSplit(deps.findMerchants, merchant, request.split, livemode);
    const opened = openLink(
      {
        ...request,
        ...read,
        ...offering,
        amount: plan?.amount ?? read.amount,
        planId: plan?.id ?? null,
        id: deps.newId('plk'),
        merchantId,
        masterId,
        livemode,
        ...newPageAddress(deps.publicUrl(), 'link'),
        items: request.items?.map(itemOf) ?? null,
        split,
      },
      now,
    );
    return deps.transact(context, (tx) => tx.record(PAYMENT_LINKS, null, opened));
  };

type Read = Pick<PaymentLink, 'amount' | 'amountRange' | 'metadata'>;

/** Checks the rules of a request that a schema cannot express; 400 with every fault. */
const readRequest = (request: LinkRequest, now: Date): Read => {
  const { currency = '', items, expiresAt, ownFields } = request;
  const metadata = request.metadata === null ? null : JSON.stringify(request.metadata);
  const hasOwnAnswers = ownFields.length > 0 && request.metadata !== null && 'answers' in request.metadata;
  const faults: InputFault[] = [
    ...detailFaults(withLongestAnswers({ metadata, ownFields }), items),
    ...(hasOwnAnswers
      ? [{ path: 'metadata.answers', message: 'metadata.answers is the place of the answers to ownFields' }]
      : []),
    ...expiryFaults(expiresAt, now),
  ];
  const minor = (path: string, value: number): Minor => {
    const amount = isCurrency(currency) ? toMinor(value, currency) : null;
    const problem = isCurrency(currency) ? amountProblem(amount) : null;
    if (problem !== null) faults.push({ path, message: `${path} ${problem}` });
    return amount ?? 0;
  };
  const amount = request.amount === undefined ? null : minor('amount', request.amount);
  const amountRange = request.amountRange
    ? {
        min: minor('amountRange.min', request.amountRange.min),
        max: minor('amountRange.max', request.amountRange.max),
      }
    : null;
  if (faults.length > 0) throw invalidInput(faults);
  return { amount, amountRange, metadata };
};

const expiryFaults = (expiresAt: string | null | undefined, now: Date): readonly InputFault[] =>
  expiresAt && expiresAt <= now.toISOString()
    ? [{ path: 'expiresAt', message: 'expiresAt must be in the future' }]
    : [];

/** 404 for a link that the caller cannot see, 403 for one of a sub-merchant, 422 for one that has ended. */
export type UpdatePaymentLink = Command<
  OfCaller & { readonly id: string; readonly changes: LinkChanges },
  PaymentLink
>;

export const createUpdatePaymentLink =
  (deps: Changing): UpdatePaymentLink =>
  async ({ principal, id, changes }, context) => {
    const faults = expiryFaults(changes.expiresAt, deps.clock());
    if (faults.length > 0) throw invalidInput(faults);
    return deps.transact(context, async (tx) => {
      const link = await ownLink(tx, principal, id);
      return tx.record(PAYMENT_LINKS, link, changeLink(link, changes, deps.clock()));
    });
  };

/** As `UpdatePaymentLink`. */
export type CancelPaymentLink = Command<OfCaller & { readonly id: string }, PaymentLink>;

export const createCancelPaymentLink =
  (deps: Changing): CancelPaymentLink =>
  async ({ principal, id }, context) =>
    deps.transact(context, async (tx) => {
      const link = await ownLink(tx, principal, id);
      return tx.record(PAYMENT_LINKS, link, cancelLink(link, deps.clock()));
    });

const ownLink = async (tx: Transaction, principal: Principal, id: string): Promise<PaymentLink> => {
  const { merchantId } = asMerchant(principal);
  const link = existing(visible(principal, await tx.get(PAYMENT_LINKS, id), 'Payment link'), 'Payment link');
  if (link.merchantId !== merchantId) throw checkoutOwnerOnly();
  return link;
};
