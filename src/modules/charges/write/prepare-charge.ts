import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import type { CommandContext, Decision } from '../../../kernel/event.ts';
import type { ChargeId, CustomerId, MerchantId } from '../../../kernel/ids.ts';
import { pick } from '../../../kernel/pick.ts';
import type { FindById } from '../../../platform/write-store/read-resource.ts';
import type { Creating, Transaction } from '../../../platform/write-store/transaction.ts';
import type { CardTokens } from '../../card-tokens/write/use-card-token.ts';
import type { CustomerRecord } from '../../customers/write/customer.ts';
import { newPayUrl } from '../../providers/pay-url.ts';
import type { PaymentProvider } from '../../providers/provider.ts';
import type { KeepWithCharge } from '../../stored-methods/write/keep-with-charge.ts';
import type { FindStoredMethod } from '../../stored-methods/write/use-stored-method.ts';
import type { FindDeviceWallet } from '../../wallets/write/device-wallet.ts';
import { type AgreedTerms, createAgreeTerms, type TermsDeps } from './agree-terms.ts';
import { type Charge, type ChargeEvent, dueTermsOfCharge, openCharge } from './charge.ts';
import { type ChargeBody, type RequestedCharge, readChargeRequest } from './charge-request.ts';
import { createFindCard } from './find-card.ts';
import { withPayer } from './with-payer.ts';

export type ChargeCommand = {
  readonly merchantId: MerchantId;
  readonly livemode: boolean;
  readonly request: ChargeBody;
  /** The reason why the gateway itself makes the charge; absent for one that a merchant asks for. */
  readonly madeFor?: MadeFor;
};

/**
 * An attempt to collect a cycle of a subscription or to pay a checkout session, whose split was agreed on before.
 */
export type MadeFor = Pick<Charge, 'cycle' | 'checkoutSessionId'> & {
  readonly chargeId: ChargeId;
  /** Records the attempt in the transaction of the intent; throws if the attempt may no longer be made. */
  claim(tx: Transaction, charge: Charge): Promise<void>;
};

export type PrepareDeps = Creating &
  TermsDeps & {
    readonly findCustomer: FindById<CustomerRecord>;
    readonly findDeviceWallet: FindDeviceWallet;
    readonly cardTokens: CardTokens;
    readonly findStoredMethod: FindStoredMethod;
    readonly keepWithCharge: Pick<KeepWithCharge, 'prepare'>;
    /** After this time without an outcome the reconciler asks the provider; well above the provider's time-out. */
    readonly intentGraceMs: number;
    /** Where payers reach the gateway's pages. */
    readonly publicUrl: () => string;
  };

export type PreparedCharge = {
  readonly asked: RequestedCharge;
  /** The decision that stores the charge, as an intent that no provider has heard of. */
  readonly opened: Decision<Charge, ChargeEvent>;
  readonly createdAt: Date;
  readonly terms: AgreedTerms;
  readonly returnUrl: string | null;
  /** The card that is to be stored once the charge is paid; null for none. */
  readonly kept: Awaited<ReturnType<ReturnType<typeof createKeepCard>>>;
  /** Records in the transaction of the intent that the tokens of the request were used. */
  spend(tx: Transaction): Promise<void>;
};

/** Reads what a request needs and decides on its charge. Nothing is stored, and no provider is asked for money. */
export const createPrepareCharge = (deps: PrepareDeps) => {
  const agreeTerms = createAgreeTerms(deps);
  const findCard = createFindCard(deps);
  const keepCard = createKeepCard(deps);
  return async (command: ChargeCommand, context: CommandContext): Promise<PreparedCharge> => {
    const { merchantId, livemode, madeFor } = command;
    const now = deps.clock();
    const request = await withPayer(
      command.request,
      { merchantId, livemode },
      deps.findCustomer,
      context.tenantId,
    );
    const card = await findCard(request, { merchantId, livemode }, context);
    const asked = readChargeRequest(request, { id: merchantId, livemode }, now, card.sources);
    const terms = await agreeTerms(merchantId, livemode, asked, request.split ?? null, madeFor !== undefined);
    // Taken right before the id is made, so that times and ids of charges have the same order.
    const createdAt = deps.clock();
    const id = madeFor?.chargeId ?? deps.newId('chg');
    const [provider] = terms.providers;
    const owner = { id, merchantId, masterId: terms.merchant.masterId, livemode };
    const kept = await keepCard(owner, asked, provider, context);
    const facts = {
      ...factsOf(asked),
      ...(kept && { paymentMethod: kept.paymentMethod }),
      ...(madeFor?.cycle && { cycle: madeFor.cycle }),
      ...(madeFor?.checkoutSessionId && { checkoutSessionId: madeFor.checkoutSessionId }),
      // The time to pay begins with the charge, a little after its request was read. A due date does not move with it.
      expiresAt: dueTermsOfCharge(asked)
        ? asked.expiresAt
        : laterBy(createdAt.getTime() - now.getTime(), asked.expiresAt),
      ...(isPaidByPayer(asked) && { payUrl: newPayUrl(deps.publicUrl(), id) }),
      ...owner,
      ...priceOf(terms),
      reconcileAt: timestamp(new Date(createdAt.getTime() + deps.intentGraceMs)),
    };
    return {
      asked,
      opened: openCharge(facts, createdAt),
      createdAt,
      terms,
      returnUrl: request.returnUrl ?? null,
      kept,
      spend: (tx) => card.spend(asked, id, tx),
    };
  };
};

/** Whether the payer of a Pix has something to do: nothing under a mandate, which the bank pays by itself. */
const isPaidByPayer = ({ paymentMethod }: Pick<Charge, 'paymentMethod'>): boolean =>
  paymentMethod.type === 'pix' && paymentMethod.id === undefined;

const priceOf = ({ fee, split, providers: [provider] }: AgreedTerms) => ({
  spread: fee.spread,
  fee: { version: fee.version, fixed: fee.fixed, percentage: fee.percentage },
  provider: provider.name,
  collectedBy: provider.owner ?? null,
  split,
});

const laterBy = (ms: number, at: Timestamp | null): Timestamp | null =>
  at && timestamp(new Date(Date.parse(at) + ms));

/**
 * A card that is to be stored once its charge is paid, and the charge's payment method with its id; null for none.
 */
const createKeepCard =
  (deps: { readonly keepWithCharge: Pick<KeepWithCharge, 'prepare'> }) =>
  async (
    charge: Pick<Charge, 'id' | 'merchantId' | 'masterId' | 'livemode'>,
    { saves, customer, paymentMethod }: RequestedCharge,
    { name: provider }: PaymentProvider,
    context: CommandContext,
  ) => {
    if (!saves || paymentMethod.type !== 'credit_card') return null;
    const { type: _type, installments: _installments, ...card } = paymentMethod;
    const facts = { ...charge, customerId: customer.id as CustomerId, card, provider };
    const kept = await deps.keepWithCharge.prepare(facts, context);
    return { ...kept, paymentMethod: { ...paymentMethod, id: kept.id } };
  };

/** The part of a request that its charge keeps. */
const factsOf = (request: RequestedCharge) =>
  pick(
    request,
    'amount',
    'currency',
    'customer',
    'paymentMethod',
    'items',
    'metadata',
    'postbackUrl',
    'reference',
    'duplicateKey',
  );
