import type { MerchantId } from '../../../kernel/ids.ts';
import { cardTokenProviderMismatch, tokenizationNotSupported } from '../../card-tokens/write/refusals.ts';
import type { UsableCardToken } from '../../card-tokens/write/use-card-token.ts';
import { spreadOf } from '../../merchants/write/fees.ts';
import type { FindMerchants } from '../../merchants/write/find-merchants.store.ts';
import type { Merchant } from '../../merchants/write/merchant.ts';
import { merchantNotActive } from '../../merchants/write/refusals.ts';
import type { PaymentProvider, ProviderNamed, Providers, ProvidersOf } from '../../providers/provider.ts';
import {
  dueDateNotAvailable,
  paymentMethodNotAvailable,
  providerNotConfigured,
} from '../../providers/refusals.ts';
import { methodProviderUnavailable } from '../../stored-methods/write/refusals.ts';
import type { StoredMethod } from '../../stored-methods/write/stored-method.ts';
import { type Charge, dueTermsOfCharge } from './charge.ts';
import type { RequestedCharge } from './charge-request.ts';
import type { FindChargeTerms } from './charge-terms.store.ts';
import { standingEntries, stillAllowed } from './default-split.ts';
import { ownAccountNotSplit } from './refusals.ts';
import type { DelayDays } from './settlement-schedule.ts';
import { assertSplitAllowed, divide, type SplitEntry } from './split.ts';

/** The terms on which a merchant's charge is made. */
export type AgreedTerms = {
  readonly merchant: Merchant;
  /** In the order in which they are asked. */
  readonly providers: readonly [PaymentProvider, ...PaymentProvider[]];
  readonly fee: ReturnType<typeof spreadOf> & { readonly version: number };
  readonly split: Charge['split'];
  readonly delayDays: DelayDays;
  readonly uniqueReferences: boolean;
};

export type TermsDeps = {
  readonly providerNamed: ProviderNamed;
  readonly providersOf: ProvidersOf;
  readonly findChargeTerms: FindChargeTerms;
  readonly findMerchants: FindMerchants;
};

/**
 * Finds who takes a payment, what it costs and who shares it. `split` is that of the request; null stands for the
 * merchant's default. A standing split was agreed before: those who may not receive any more are left out of it. 422
 * MERCHANT_NOT_ACTIVE, PROVIDER_NOT_CONFIGURED, PAYMENT_METHOD_NOT_AVAILABLE, DUE_DATE_NOT_AVAILABLE,
 * CARD_TOKEN_PROVIDER_MISMATCH, TOKENIZATION_NOT_SUPPORTED, PAYMENT_METHOD_PROVIDER_UNAVAILABLE, FEES_NOT_CONFIGURED,
 * INSTALLMENTS_NOT_OFFERED, SPLIT_NOT_ALLOWED.
 */
export const createAgreeTerms =
  (deps: TermsDeps) =>
  async (
    merchantId: MerchantId,
    livemode: boolean,
    asked: RequestedCharge,
    split: readonly SplitEntry[] | null,
    isStanding = false,
  ): Promise<AgreedTerms> => {
    const terms = await deps.findChargeTerms(merchantId);
    if (terms?.merchant.status !== 'active') throw merchantNotActive();
    const { merchant, fees, defaultSplit, routes, ...others } = terms;
    const { masterId } = merchant;
    const requestedSplit = split ?? standingEntries(defaultSplit, asked.paymentMethod.type);
    const receivers =
      requestedSplit.length > 0
        ? await deps.findMerchants(requestedSplit.map((entry) => entry.merchantId))
        : [];
    const providers: AgreedTerms['providers'] = asked.storedMethod
      ? [await keeperOf(asked.storedMethod, deps.providerNamed)]
      : takersOf(await deps.providersOf(livemode, { id: merchantId, masterId, routes }), asked);
    const fee = spreadOf({
      definitions: fees?.definitions ?? [],
      livemode,
      paymentType: asked.paymentMethod.type,
      currency: asked.currency,
      brand: asked.brand,
      amount: asked.amount,
      installments: asked.installments,
    });
    if (split && !isStanding) assertSplitAllowed(merchant, requestedSplit, receivers, livemode);
    const entries = stillAllowed(merchant, requestedSplit, receivers, livemode);
    if (entries.length > 0) assertCollectorMayShare(merchant, providers);
    return {
      ...others,
      merchant,
      providers,
      fee: { ...fee, version: fees?.version ?? 0 },
      split: entries.length > 0 ? divide(asked.amount - fee.spread, entries) : null,
    };
  };

/** A card is stored at one provider, whatever the present routes of new payments are. */
const keeperOf = async (
  { provider }: StoredMethod,
  providerNamed: ProviderNamed,
): Promise<PaymentProvider> => {
  const keeper = await providerNamed(provider);
  if (!keeper) throw methodProviderUnavailable();
  return keeper;
};

const takersOf = (
  providers: Providers | null,
  { paymentMethod, currency, brand, cardToken, saves }: RequestedCharge,
): AgreedTerms['providers'] => {
  if (!providers) throw providerNotConfigured();
  const { type } = paymentMethod;
  const all = providers.providersFor(type, currency, brand);
  if (all.length === 0) throw paymentMethodNotAvailable(type, currency);
  const [first, ...others] = dueTermsOfCharge({ paymentMethod })
    ? all.filter(({ dueDates }) => dueDates)
    : all;
  if (!first) throw dueDateNotAvailable();
  if (saves) {
    // The provider that takes the payment also stores the card, so there is no failover.
    const keeper = cardToken ? keeperAmong([first, ...others], cardToken) : first;
    if (!keeper.vault) throw tokenizationNotSupported();
    return [keeper];
  }
  return cardToken === null ? [first, ...others] : [keeperAmong([first, ...others], cardToken)];
};

/** There is no failover, because no other provider has the card. */
const keeperAmong = (
  providers: readonly PaymentProvider[],
  { provider }: UsableCardToken,
): PaymentProvider => {
  const keeper = providers.find(({ name }) => name === provider);
  if (!keeper) throw cardTokenProviderMismatch();
  return keeper;
};

/**
 * 422 SPLIT_NOT_ALLOWED where one of the providers is the merchant's own account: the gateway could give the others none
 * of that money. A master shares what it collects with its sub-merchants itself.
 */
const assertCollectorMayShare = (
  { id, masterId, role }: Pick<Merchant, 'id' | 'masterId' | 'role'>,
  providers: readonly PaymentProvider[],
): void => {
  const master = role === 'MerchantMaster' ? id : masterId;
  if (providers.some(({ owner }) => owner !== undefined && owner !== master)) throw ownAccountNotSplit();
};
