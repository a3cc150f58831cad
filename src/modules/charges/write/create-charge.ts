import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import type { Command, CommandContext } from '../../../kernel/event.ts';
import type { ChargeId, CustomerId, MerchantId } from '../../../kernel/ids.ts';
import type { FindById } from '../../../platform/write-store/read-resource.ts';
import type { Creating, Transaction } from '../../../platform/write-store/transaction.ts';
import type { CardTokens } from '../../card-tokens/write/use-card-token.ts';
import type { CustomerRecord } from '../../customers/write/customer.ts';
import type { PaymentProvider } from '../../providers/provider.ts';
import type { KeepWithCharge } from '../../stored-methods/write/keep-with-charge.ts';
import { STORED_METHODS } from '../../stored-methods/write/stored-methods.store.ts';
import type { FindStoredMethod } from '../../stored-methods/write/use-stored-method.ts';
import type { FindDeviceWallet } from '../../wallets/write/device-wallet.ts';
import { createAgreeTerms, type TermsDeps } from './agree-terms.ts';
import type { AskProviders } from './ask-providers.ts';
import { CHARGES, type FindDuplicate, type FindHolder } from './charge.store.ts';
import { type Charge, openCharge } from './charge.ts';
import { type ChargeBody, type RequestedCharge, readChargeRequest } from './charge-request.ts';
import { createFindCard } from './find-card.ts';
import { createInFlight } from './in-flight.ts';
import type { RecordPaymentOutcome } from './record-payment-outcome.ts';
import { referenceAlreadyUsed } from './refusals.ts';
import { takeReference } from './unique-reference.ts';
import { withPayer } from './with-payer.ts';

export type CreateCharge = Command<
  {
    readonly merchantId: MerchantId;
    readonly livemode: boolean;
    readonly request: ChargeBody;
    /** The reason why the gateway itself makes the charge; absent for one that a merchant asks for. */
    readonly madeFor?: MadeFor;
  },
  { readonly charge: Charge; readonly possibleDuplicateOf: ChargeId | null }
>;

/** An attempt to collect a cycle of a subscription, or to pay a checkout session. Its split was agreed on before. */
export type MadeFor = Pick<Charge, 'cycle' | 'checkoutSessionId'> & {
  readonly chargeId: ChargeId;
  /** Takes the attempt down in the transaction of the intent; throws where it is not to be made any more. */
  claim(tx: Transaction, charge: Charge): Promise<void>;
};

const DUPLICATE_WITHIN_MS = 60_000;

/**
 * Stores the intent, asks the provider, stores the outcome. Answers with the charge as it stands then. It is still
 * `pending` where the provider did not answer in time, for the reconciler to resolve.
 */
export const createCreateCharge = (
  deps: Creating &
    TermsDeps & {
      readonly findCustomer: FindById<CustomerRecord>;
      readonly findDuplicate: FindDuplicate;
      readonly findHolder: FindHolder;
      readonly findDeviceWallet: FindDeviceWallet;
      readonly cardTokens: CardTokens;
      readonly findStoredMethod: FindStoredMethod;
      readonly keepWithCharge: Pick<KeepWithCharge, 'prepare' | 'finish'>;
      readonly askProviders: AskProviders;
      readonly recordPaymentOutcome: RecordPaymentOutcome;
      /** After this time without an outcome the reconciler asks the provider; well above the provider's time-out. */
      readonly intentGraceMs: number;
    },
): CreateCharge => {
  const storing = createInFlight();
  const agreeTerms = createAgreeTerms(deps);
  const findCard = createFindCard(deps);
  const keepCard = createKeepCard(deps);
  return async ({ merchantId, livemode, request: body, madeFor }, context) => {
    const now = deps.clock();
    const request = await withPayer(body, { merchantId, livemode }, deps.findCustomer, context.tenantId);
    const card = await findCard(request, { merchantId, livemode }, context);
    const asked = readChargeRequest(request, { id: merchantId, livemode }, now, card.sources);
    const split = request.split ?? null;
    const terms = await agreeTerms(merchantId, livemode, asked, split, madeFor !== undefined);
    const { merchant, providers, fee, uniqueReferences, delayDays } = terms;

    const { instrument } = asked;
    // Beside the making of the id, so that both tell of the same order.
    const createdAt = deps.clock();
    // The time to pay begins with the charge, a little after its request was read.
    const expiresAt = laterBy(createdAt.getTime() - now.getTime(), asked.expiresAt);
    const id = madeFor?.chargeId ?? deps.newId('chg');
    const kept = await keepCard(
      { id, merchantId, masterId: merchant.masterId, livemode },
      asked,
      providers[0],
      context,
    );
    const opened = openCharge(
      {
        ...factsOf(asked),
        ...(kept && { paymentMethod: kept.paymentMethod }),
        ...(madeFor?.cycle && { cycle: madeFor.cycle }),
        ...(madeFor?.checkoutSessionId && { checkoutSessionId: madeFor.checkoutSessionId }),
        expiresAt,
        id,
        livemode,
        merchantId,
        masterId: merchant.masterId,
        spread: fee.spread,
        fee: { version: fee.version, fixed: fee.fixed, percentage: fee.percentage },
        provider: providers[0].name,
        collectedBy: providers[0].owner ?? null,
        split: terms.split,
        reconcileAt: timestamp(new Date(createdAt.getTime() + deps.intentGraceMs)),
      },
      createdAt,
    );
    const { duplicateKey } = opened.data;
    if (uniqueReferences) {
      // Charges from before the setting have taken no reference in the way that `takeReference` sees.
      const holder = await deps.findHolder(opened.data);
      if (holder !== null) throw referenceAlreadyUsed(holder);
    }
    const storeIntent = deps.transact(context, async (tx) => {
      await card.spend(asked, opened.data.id, tx);
      if (uniqueReferences) await takeReference(tx, opened.data);
      if (kept) await tx.record(STORED_METHODS, null, kept.opened);
      await madeFor?.claim(tx, opened.data);
      return tx.record(CHARGES, null, opened);
    });
    const intent = await storing.track(duplicateKey, storeIntent);

    const { name, document } = intent.customer;
    const told = {
      merchantName: merchant.legalName,
      merchantTimeZone: merchant.timeZone,
      payer: document && { name, document },
      instrument: expiresAt && 'expiresAt' in instrument ? { ...instrument, expiresAt } : instrument,
      returnUrl: request.returnUrl ?? null,
      ...(kept ? { keep: kept.keep } : {}),
    };
    const { charge, state } = await deps.askProviders(intent, providers, told, context);
    const answered = state ? await deps.recordPaymentOutcome(charge, state, context, { delayDays }) : charge;
    if (kept) await deps.keepWithCharge.finish(kept.id, context);
    const typed = asked.cardToken ?? asked.code;
    if (typed) await deps.cardTokens.noteOutcome(typed, answered.status === 'refused');
    // One with an earlier id may be stored later than this one, here or in another process. So the look comes last:
    // whatever was stored when the answer goes out is seen.
    await storing.landed(duplicateKey);
    const since = new Date(createdAt.getTime() - DUPLICATE_WITHIN_MS);
    const possibleDuplicateOf = await deps.findDuplicate(charge, since);
    return { charge: answered, possibleDuplicateOf };
  };
};

const laterBy = (ms: number, at: Timestamp | null): Timestamp | null =>
  at && timestamp(new Date(Date.parse(at) + ms));

/** A card that is to be kept once its charge is paid, with the method of the charge that names it; null for none. */
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
const factsOf = ({
  amount,
  currency,
  customer,
  paymentMethod,
  items,
  metadata,
  postbackUrl,
  reference,
  duplicateKey,
}: RequestedCharge) => ({
  amount,
  currency,
  customer,
  paymentMethod,
  items,
  metadata,
  postbackUrl,
  reference,
  duplicateKey,
});
