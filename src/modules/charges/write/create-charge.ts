import { type Clock, timestamp } from '../../../kernel/clock.ts';
import { forbidden, unprocessable } from '../../../kernel/errors.ts';
import type { CommandContext } from '../../../kernel/event.ts';
import type { ChargeId, MerchantId, NewId } from '../../../kernel/ids.ts';
import type { Transact } from '../../../platform/write-store/transact.ts';
import { spreadOf } from '../../merchants/write/fees.ts';
import type { FindMerchants } from '../../merchants/write/find-merchants.store.ts';
import type { ProviderFor } from '../../providers/provider.ts';
import type { FindDeviceWallet } from '../../wallets/write/device-wallet.ts';
import { CHARGES, type FindDuplicate } from './charge.store.ts';
import { type Charge, openCharge } from './charge.ts';
import { type ChargeRequest, readChargeRequest, walletTokenOf } from './charge-request.ts';
import type { FindChargeTerms } from './charge-terms.store.ts';
import type { ConfirmPayment } from './confirm-payment.ts';
import { standingEntries, stillAllowed } from './default-split.ts';
import { createInFlight } from './in-flight.ts';
import { assertSplitAllowed, divide } from './split.ts';

export type CreateCharge = (
  command: { readonly merchantId: MerchantId; readonly livemode: boolean; readonly request: ChargeRequest },
  context: CommandContext,
) => Promise<{ readonly charge: Charge; readonly possibleDuplicateOf: ChargeId | null }>;

const DUPLICATE_WITHIN_MS = 60_000;

/**
 * Stores the intent, asks the provider, stores the outcome. Answers with the charge as it stands then:
 * still `pending` where the provider did not answer in time, for the reconciler to settle.
 */
export const createCreateCharge = (deps: {
  readonly transact: Transact;
  readonly providerFor: ProviderFor;
  readonly findTerms: FindChargeTerms;
  readonly findMerchants: FindMerchants;
  readonly findDuplicate: FindDuplicate;
  readonly findDeviceWallet: FindDeviceWallet;
  readonly confirmPayment: ConfirmPayment;
  readonly clock: Clock;
  readonly newId: NewId;
  /** After this time without an outcome the reconciler asks the provider; well above the provider's time-out. */
  readonly intentGraceMs: number;
}): CreateCharge => {
  const storing = createInFlight();
  return async ({ merchantId, livemode, request }, context) => {
    const now = deps.clock();
    const wallet = walletTokenOf(request) && (await deps.findDeviceWallet(merchantId, context));
    const asked = readChargeRequest(request, { id: merchantId, livemode }, now, wallet?.open);
    const terms = await deps.findTerms(merchantId);
    if (terms?.merchant.status !== 'active') throw forbidden('MERCHANT_NOT_ACTIVE');
    const { merchant, fees, defaultSplit, delayDays } = terms;
    const wished = request.split ?? standingEntries(defaultSplit, asked.paymentMethod.type);
    const receivers =
      wished.length > 0 ? await deps.findMerchants(wished.map((entry) => entry.merchantId)) : [];
    const provider = deps.providerFor(livemode);
    if (!provider) throw unprocessable('PROVIDER_NOT_CONFIGURED', 'No payment provider is configured');
    if (!provider.methods.includes(asked.paymentMethod.type))
      throw unprocessable('PAYMENT_METHOD_NOT_AVAILABLE', `${asked.paymentMethod.type} is not available`);
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

    const { instrument, walletToken, brand: _brand, installments: _installments, ...facts } = asked;
    const opened = openCharge(
      {
        ...facts,
        id: deps.newId('chg'),
        livemode,
        merchantId,
        masterId: merchant.masterId,
        spread: fee.spread,
        fee: { version: fees?.version ?? 0, fixed: fee.fixed, percentage: fee.percentage },
        provider: provider.name,
        split: entries.length > 0 ? divide(asked.amount - fee.spread, entries) : null,
        reconcileAt: timestamp(new Date(now.getTime() + deps.intentGraceMs)),
      },
      now,
    );
    const { duplicateKey } = opened.data;
    const storeIntent = deps.transact(context, async (tx) => {
      // With the intent and not before: a token whose charge is refused can be sent again.
      if (walletToken) await wallet?.spend(walletToken, opened.data.id, tx);
      return tx.record(CHARGES, null, opened);
    });
    const charge = await storing.track(duplicateKey, storeIntent);

    const state = await provider
      .authorize({
        reference: charge.id,
        amount: charge.amount,
        currency: charge.currency,
        merchantName: merchant.legalName,
        instrument,
      })
      // Whatever went wrong, the payment may have happened: only the provider can tell.
      .catch(() => null);
    const findDuplicate = async (): Promise<ChargeId | null> => {
      // One with an earlier id may be stored later than this one.
      await storing.landed(duplicateKey);
      return deps.findDuplicate(charge, new Date(now.getTime() - DUPLICATE_WITHIN_MS));
    };
    // Beside the outcome, so that it takes no time of its own, and late: of two at once the later sees the other.
    const [answered, possibleDuplicateOf] = await Promise.all([
      state ? deps.confirmPayment(charge, state, context, { delayDays }) : charge,
      findDuplicate(),
    ]);
    return { charge: answered, possibleDuplicateOf };
  };
};
