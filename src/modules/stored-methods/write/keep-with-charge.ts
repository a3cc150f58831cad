import type { Clock } from '../../../kernel/clock.ts';
import type { CommandContext, Decision } from '../../../kernel/event.ts';
import type { ChargeId, CustomerId, MerchantId, NewId, PaymentMethodId } from '../../../kernel/ids.ts';
import type { FindById } from '../../../platform/write-store/read-resource.ts';
import type { Transaction } from '../../../platform/write-store/transaction.ts';
import type { MaskedCard } from '../../providers/card.ts';
import type { AuthorizeRequest } from '../../providers/provider.ts';
import type { ReconcileMethod } from './reconcile-method.ts';
import { methodLimitReached } from './refusals.ts';
import {
  followCharge,
  openWithCharge,
  type StoredMethod,
  type StoredMethodEvent,
  storedOrderOf,
} from './stored-method.ts';
import { type FindMethodsOf, MAX_METHODS, STORED_METHODS } from './stored-methods.store.ts';

type KeptCard = {
  readonly id: PaymentMethodId;
  /** The method, to be stored along with the intent of the charge. */
  readonly opened: Decision<StoredMethod, StoredMethodEvent>;
  /** References under which the provider keeps the card. */
  readonly keep: NonNullable<AuthorizeRequest['keep']>;
};

/** Keeps the card that pays a charge for later payments. 422 PAYMENT_METHOD_LIMIT_REACHED. */
export type KeepWithCharge = {
  prepare(
    charge: {
      readonly id: ChargeId;
      readonly merchantId: MerchantId;
      readonly masterId: MerchantId | null;
      readonly livemode: boolean;
      readonly customerId: CustomerId;
      readonly card: MaskedCard;
      readonly provider: string;
    },
    context: CommandContext,
  ): Promise<KeptCard>;
  /** Asks the provider at once about the card of a charge that is paid. Where this fails, a worker asks later. */
  finish(id: PaymentMethodId, context: CommandContext): Promise<void>;
};

export const createKeepWithCharge = (deps: {
  readonly findMethodsOf: FindMethodsOf;
  readonly findMethod: FindById<StoredMethod>;
  readonly reconcileMethod: ReconcileMethod;
  readonly newId: NewId;
  readonly clock: Clock;
}): KeepWithCharge => ({
  async prepare({ id: chargeId, ...facts }, { tenantId }) {
    const others = await deps.findMethodsOf(facts.customerId, tenantId);
    if (others.length >= MAX_METHODS) throw methodLimitReached();
    const known = others.find((one) => one.provider === facts.provider && one.providerCustomer !== null);
    const id = deps.newId('pm');
    const providerCustomer = known?.providerCustomer ?? null;
    const opened = openWithCharge({ ...facts, id, providerCustomer }, chargeId, deps.clock());
    return { id, opened, keep: storedOrderOf(opened.data) };
  },

  async finish(id, { tenantId }) {
    const method = await deps.findMethod(id, tenantId);
    if (method?.status === 'pending' && method.payment !== null)
      await deps.reconcileMethod(method, deps.clock()).catch(() => undefined);
  },
});

/** For a gateway that keeps no cards, such as the one that seeds a history. */
export const KEEPS_NO_CARDS: KeepWithCharge = {
  async prepare() {
    throw methodLimitReached();
  },
  finish: async () => undefined,
};

type FollowedCharge = {
  readonly id: ChargeId;
  readonly status: string;
  readonly pspRefId: string | null;
  readonly paymentMethod: { readonly type: string; readonly id?: PaymentMethodId };
};

/** Applies the outcome of a charge to the card that is kept with it, in the transaction of that outcome. */
export const followWithMethod = async (
  tx: Transaction,
  { id: chargeId, paymentMethod, ...charge }: FollowedCharge,
  now: Date,
): Promise<void> => {
  if (paymentMethod.id === undefined) return;
  const method = await tx.get(STORED_METHODS, paymentMethod.id);
  // A method that was stored before this charge is charged by it, but not kept with it.
  const decision = method?.chargeId === chargeId ? followCharge(method, charge, now) : null;
  if (method && decision) await tx.record(STORED_METHODS, method, decision);
};
