import { notFound } from '../../../kernel/errors.ts';
import type { Command } from '../../../kernel/event.ts';
import type { CheckoutSessionId, PaymentMethodId } from '../../../kernel/ids.ts';
import { asMerchant, type Principal, tenantOfCaller } from '../../../kernel/principal.ts';
import { type FindById, findVisible } from '../../../platform/write-store/read-resource.ts';
import type { Creating, Transaction } from '../../../platform/write-store/transaction.ts';
import { tokenizationNotSupported } from '../../card-tokens/write/refusals.ts';
import type { CardTokens } from '../../card-tokens/write/use-card-token.ts';
import type { CustomerRecord } from '../../customers/write/customer.ts';
import { holdCustomer } from '../../customers/write/hold-customer.ts';
import { customerOwnerOnly } from '../../customers/write/refusals.ts';
import type { ProviderNamed, StoredState } from '../../providers/provider.ts';
import { providerNotConfigured } from '../../providers/refusals.ts';
import type { RecordStoredState } from './record-stored-state.ts';
import { methodLimitReached } from './refusals.ts';
import { openMethod, type StoredMethod, storedOrderOf } from './stored-method.ts';
import { type FindMethodsOf, MAX_METHODS, STORED_METHODS } from './stored-methods.store.ts';

/**
 * Lets the provider check the card of a token and keep it for a customer's later payments. 404 for a customer that the
 * caller cannot see or that is deleted, 403 for one of a sub-merchant; 422 PAYMENT_METHOD_CONSENT_MISSING,
 * PAYMENT_METHOD_LIMIT_REACHED, CARD_TOKEN_INVALID and CARD_TOKEN_SPENT. Where the provider does not answer the method
 * is `pending`, and a worker asks for the outcome.
 */
export type StoreCard = Command<
  {
    readonly principal: Principal;
    readonly customerId: string;
    readonly token: string;
    readonly consentAt: string | null;
    readonly returnUrl: string | null;
    /** The checkout session in which the payer stores the card; absent where a merchant stores it. */
    readonly madeFor?: StoredFor;
  },
  StoredMethod
>;

type StoredFor = {
  readonly checkoutSessionId: CheckoutSessionId;
  /** Records the attempt in the transaction of the intent; throws where the attempt must no longer be made. */
  claim(tx: Transaction, methodId: PaymentMethodId): Promise<void>;
};

export const createStoreCard =
  (
    deps: Creating & {
      readonly findCustomer: FindById<CustomerRecord>;
      readonly findMethodsOf: FindMethodsOf;
      readonly cardTokens: Pick<CardTokens, 'find' | 'noteAnswer' | 'spend'>;
      readonly providerNamed: ProviderNamed;
      readonly recordStoredState: RecordStoredState;
      readonly intentGraceMs: number;
    },
  ): StoreCard =>
  async ({ principal, customerId, token: tokenId, consentAt, returnUrl, madeFor }, context) => {
    const { merchantId, masterId, livemode } = asMerchant(principal);
    const customer = await findVisible(deps.findCustomer, principal, customerId, 'Customer');
    if (customer.merchantId !== merchantId) throw customerOwnerOnly();
    if (customer.deletedAt !== null) throw notFound('Customer');
    const tenantId = tenantOfCaller(principal);
    const token = await deps.cardTokens.find(tokenId, { merchantId, livemode }, tenantId);
    const others = await deps.findMethodsOf(customer.id, tenantId);
    if (others.length >= MAX_METHODS) throw methodLimitReached();
    const provider = await deps.providerNamed(token.provider);
    if (!provider) throw providerNotConfigured();
    const { vault } = provider;
    if (!vault) throw tokenizationNotSupported();

    const id = deps.newId('pm');
    const known = others.find((one) => one.provider === token.provider && one.providerCustomer !== null);
    const facts = {
      ...{ id, merchantId, masterId, livemode, customerId: customer.id },
      card: token.card,
      provider: token.provider,
      providerCustomer: known?.providerCustomer ?? null,
      ...(madeFor && { checkoutSessionId: madeFor.checkoutSessionId }),
    };
    const opened = openMethod(facts, consentAt, deps.clock(), deps.intentGraceMs);
    const method = await deps.transact(context, async (tx) => {
      await deps.cardTokens.spend(token.id, { merchantId, livemode }, id, tx);
      await madeFor?.claim(tx, id);
      await holdCustomer(tx, customer.id);
      return tx.record(STORED_METHODS, null, opened);
    });
    const card = { providerToken: token.providerToken };
    // Where the provider does not answer, a worker asks for the outcome.
    const state = await vault
      .store({ ...storedOrderOf(method), card, returnUrl })
      .catch((): StoredState | null => null);
    const stored = state ? await deps.recordStoredState(method, state, context) : method;
    // Otherwise cards could be tried out with a public key at a shop that stores what it is given. A page for payers
    // notes the outcome itself.
    if (!madeFor) {
      const isRefused = stored.status === 'pending' ? null : stored.status === 'failed';
      await deps.cardTokens.noteAnswer(id, token, isRefused);
    }
    return stored;
  };
