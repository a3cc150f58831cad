import type { Clock } from '../../../kernel/clock.ts';
import type { CommandContext } from '../../../kernel/event.ts';
import type { ChargeId, MerchantId } from '../../../kernel/ids.ts';
import type { Transaction } from '../../../platform/write-store/transaction.ts';
import type { CardTokens } from '../../card-tokens/write/use-card-token.ts';
import { methodForSubscriptions } from '../../stored-methods/write/refusals.ts';
import { assertChargeable } from '../../stored-methods/write/stored-method.ts';
import type { FindStoredMethod } from '../../stored-methods/write/use-stored-method.ts';
import type { FindDeviceWallet } from '../../wallets/write/device-wallet.ts';
import {
  type CardSources,
  type ChargeRequest,
  cardTokenOf,
  codeTokenOf,
  type RequestedCharge,
  storedMethodOf,
  walletTokenOf,
} from './charge-request.ts';

/** The card of a request that names it by a token or a stored method. */
type FoundCard = {
  readonly sources: CardSources;
  /** Uses up the token that stands for the card, in the transaction of the intent. */
  spend(asked: RequestedCharge, chargeId: ChargeId, tx: Transaction): Promise<void>;
};

type Seller = { readonly merchantId: MerchantId; readonly livemode: boolean };

/**
 * Finds the merchant's device wallet, the card token, or the stored payment method with its code that a request needs.
 * 404 for a method of somebody else; 422 CARD_TOKEN_INVALID, CARD_TOKEN_SPENT, PAYMENT_METHOD_NOT_ACTIVE,
 * PAYMENT_METHOD_FOR_SUBSCRIPTIONS.
 */
export const createFindCard =
  (deps: {
    readonly findDeviceWallet: FindDeviceWallet;
    readonly cardTokens: CardTokens;
    readonly findStoredMethod: FindStoredMethod;
    readonly clock: Clock;
  }) =>
  async (request: ChargeRequest, seller: Seller, context: CommandContext): Promise<FoundCard> => {
    const wallet = walletTokenOf(request) && (await deps.findDeviceWallet(seller.merchantId, context));
    const id = cardTokenOf(request);
    const cardToken = id && (await deps.cardTokens.find(id, seller, context.tenantId));
    const methodId = storedMethodOf(request);
    const storedMethod = methodId && (await deps.findStoredMethod(methodId, seller, context.tenantId));
    if (storedMethod) assertChargeable(storedMethod, deps.clock());
    if (storedMethod && (storedMethod.card === null) !== (request.paymentMethod.type === 'pix'))
      throw methodForSubscriptions();
    const codeId = codeTokenOf(request);
    const code =
      storedMethod && codeId
        ? await deps.cardTokens.findCode(codeId, storedMethod.id, seller, context.tenantId)
        : null;
    return {
      sources: {
        openToken: wallet?.open ?? null,
        cardToken: cardToken || null,
        storedMethod: storedMethod || null,
        code,
      },
      async spend({ walletToken, cardToken: token, code: usable }, chargeId, tx) {
        // Tokens are spent with the intent and not before, so that a token can be sent again if the request was refused
        // as invalid.
        if (walletToken) await wallet?.spend(walletToken, chargeId, tx);
        if (token) await deps.cardTokens.spend(token.id, seller, chargeId, tx);
        if (usable) await deps.cardTokens.spend(usable.id, seller, chargeId, tx);
      },
    };
  };
