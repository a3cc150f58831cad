import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import type { Command } from '../../../kernel/event.ts';
import type { ChargeId, MerchantId } from '../../../kernel/ids.ts';
import type { FindById } from '../../../platform/write-store/read-resource.ts';
import type { Creating } from '../../../platform/write-store/transaction.ts';
import type { CustomerRecord } from '../../customers/write/customer.ts';
import { spreadOf } from '../../merchants/write/fees.ts';
import type { FindMerchants } from '../../merchants/write/find-merchants.store.ts';
import type { Merchant } from '../../merchants/write/merchant.ts';
import { merchantNotActive } from '../../merchants/write/refusals.ts';
import type { PaymentProvider, ProvidersOf } from '../../providers/provider.ts';
import type { FindDeviceWallet } from '../../wallets/write/device-wallet.ts';
import type { AskProviders } from './ask-providers.ts';
import { CHARGES, type FindDuplicate, type FindHolder } from './charge.store.ts';
import { type Charge, openCharge } from './charge.ts';
import { type ChargeBody, readChargeRequest, walletTokenOf } from './charge-request.ts';
import type { FindChargeTerms } from './charge-terms.store.ts';
import { standingEntries, stillAllowed } from './default-split.ts';
import { createInFlight } from './in-flight.ts';
import type { RecordPaymentOutcome } from './record-payment-outcome.ts';
import {
  ownAccountNotSplit,
  paymentMethodNotAvailable,
  providerNotConfigured,
  referenceAlreadyUsed,
} from './refusals.ts';
import { assertSplitAllowed, divide } from './split.ts';
import { takeReference } from './unique-reference.ts';
import { withPayer } from './with-payer.ts';

export type CreateCharge = Command<
  {
    readonly merchantId: MerchantId;
    readonly livemode: boolean;
    readonly request: ChargeBody;
  },
  { readonly charge: Charge; readonly possibleDuplicateOf: ChargeId | null }
>;

const DUPLICATE_WITHIN_MS = 60_000;

/**
 * Stores the intent, asks the provider, stores the outcome. Answers with the charge as it stands then. It is still
 * `pending` where the provider did not answer in time, for the reconciler to resolve.
 */
export const createCreateCharge = (
  deps: Creating & {
    readonly providersOf: ProvidersOf;
    readonly findChargeTerms: FindChargeTerms;
    readonly findMerchants: FindMerchants;
    readonly findCustomer: FindById<CustomerRecord>;
    readonly findDuplicate: FindDuplicate;
    readonly findHolder: FindHolder;
    readonly findDeviceWallet: FindDeviceWallet;
    readonly askProviders: AskProviders;
    readonly recordPaymentOutcome: RecordPaymentOutcome;
    /** After this time without an outcome the reconciler asks the provider; well above the provider's time-out. */
    readonly intentGraceMs: number;
  },
): CreateCharge => {
  const storing = createInFlight();
  return async ({ merchantId, livemode, request: body }, context) => {
    const now = deps.clock();
    const request = await withPayer(body, { merchantId, livemode }, deps.findCustomer, context.tenantId);
    const wallet = walletTokenOf(request) && (await deps.findDeviceWallet(merchantId, context));
    const asked = readChargeRequest(request, { id: merchantId, livemode }, now, wallet?.open);
    const terms = await deps.findChargeTerms(merchantId);
    if (terms?.merchant.status !== 'active') throw merchantNotActive();
    const { merchant, fees, defaultSplit, delayDays, routes, uniqueReferences } = terms;
    const wished = request.split ?? standingEntries(defaultSplit, asked.paymentMethod.type);
    const receivers =
      wished.length > 0 ? await deps.findMerchants(wished.map((entry) => entry.merchantId)) : [];
    const providers = await deps.providersOf(livemode, {
      id: merchantId,
      masterId: merchant.masterId,
      routes,
    });
    if (!providers) throw providerNotConfigured();
    const [provider, ...others] = providers.providersFor(
      asked.paymentMethod.type,
      asked.currency,
      asked.brand,
    );
    if (!provider) throw paymentMethodNotAvailable(asked.paymentMethod.type, asked.currency);
    const fee = spreadOf({
      definitions: fees?.definitions ?? [],
      livemode,
      paymentType: asked.paymentMethod.type,
      currency: asked.currency,
      brand: asked.brand,
      amount: asked.amount,
      installments: asked.installments,
    });
    if (request.split) assertSplitAllowed(merchant, wished, receivers, livemode);
    const entries = stillAllowed(merchant, wished, receivers, livemode);
    if (entries.length > 0) assertCollectorMayShare(merchant, [provider, ...others]);

    const { instrument, walletToken, brand: _brand, installments: _installments, ...facts } = asked;
    // Beside the making of the id, so that both tell of the same order.
    const createdAt = deps.clock();
    // The time to pay begins with the charge, a little after its request was read.
    const expiresAt = laterBy(createdAt.getTime() - now.getTime(), asked.expiresAt);
    const opened = openCharge(
      {
        ...facts,
        expiresAt,
        id: deps.newId('chg'),
        livemode,
        merchantId,
        masterId: merchant.masterId,
        spread: fee.spread,
        fee: { version: fees?.version ?? 0, fixed: fee.fixed, percentage: fee.percentage },
        provider: provider.name,
        collectedBy: provider.owner ?? null,
        split: entries.length > 0 ? divide(asked.amount - fee.spread, entries) : null,
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
      // With the intent and not before: a token whose charge is refused can be sent again.
      if (walletToken) await wallet?.spend(walletToken, opened.data.id, tx);
      if (uniqueReferences) await takeReference(tx, opened.data);
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
    };
    const { charge, state } = await deps.askProviders(intent, [provider, ...others], told, context);
    const answered = state ? await deps.recordPaymentOutcome(charge, state, context, { delayDays }) : charge;
    // One with an earlier id may be stored later than this one, here or in another process. So the look comes last:
    // whatever was stored when the answer goes out is seen.
    await storing.landed(duplicateKey);
    const since = new Date(createdAt.getTime() - DUPLICATE_WITHIN_MS);
    const possibleDuplicateOf = await deps.findDuplicate(charge, since);
    return { charge: answered, possibleDuplicateOf };
  };
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

const laterBy = (ms: number, at: Timestamp | null): Timestamp | null =>
  at && timestamp(new Date(Date.parse(at) + ms));
