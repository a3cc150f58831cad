import {
  type CardVault,
  PAYMENT_TYPES,
  type PaymentProvider,
  type PaymentState,
  ProviderTimeout,
  type RefundState,
  type StoredState,
  type UnknownUntilNotified,
} from '../../src/modules/providers/provider.ts';
import { aPaymentState, aRefundState } from '../builders.ts';

/** Answers of the fake; `timeout` for a call that gets no answer. */
type Answers = {
  readonly authorize: PaymentState | 'timeout' | 'broken';
  readonly refund: RefundState | 'timeout' | 'broken';
  readonly payment: PaymentState | UnknownUntilNotified | null;
  readonly refundState: RefundState | UnknownUntilNotified | null;
  readonly cancel: PaymentState | 'timeout';
};

/** A provider that answers what a test tells it to, and remembers what it was asked. */
export type FakeProvider = PaymentProvider & { readonly calls: string[] };

export const createFakeProvider = (given: Partial<Answers> = {}): FakeProvider => {
  const answers: Answers = {
    authorize: aPaymentState(),
    refund: aRefundState(),
    payment: null,
    refundState: null,
    cancel: aPaymentState({ status: 'failed', failureReason: 'cancelled' }),
    ...given,
  };
  const calls: string[] = [];
  const answer = async <T>(call: string, value: T | 'timeout' | 'broken'): Promise<T> => {
    calls.push(call);
    if (value === 'timeout') throw new ProviderTimeout(call);
    if (value === 'broken') throw new Error('connection reset');
    return value as T;
  };
  return {
    name: 'fake',
    methods: PAYMENT_TYPES,
    cards: { maxInstallments: null, wallets: true },
    calls,
    authorize: ({ reference }) => answer(`authorize ${reference}`, answers.authorize),
    refund: ({ reference, paymentReference, amount, currency }) =>
      answer(`refund ${reference} of ${paymentReference}: ${amount} ${currency}`, answers.refund),
    describePayment: ({ reference }) => answer(`describePayment ${reference}`, answers.payment),
    describeRefund: ({ reference }) => answer(`describeRefund ${reference}`, answers.refundState),
    verify: async () => false,
    notificationsIn: async () => null,
    cancel: ({ reference }) => answer(`cancel ${reference}`, answers.cancel),
  };
};

/** The answer of a vault that has stored a card. */
export const aStoredState = (changes: Partial<StoredState> = {}): StoredState => ({
  status: 'active',
  failureReason: null,
  authenticationUrl: null,
  providerMethod: 'method_1',
  providerCustomer: 'holder_1',
  networkTransactionId: 'network_1',
  card: null,
  ...changes,
});

/** A vault that keeps every card. */
export const createFakeVault = (changes: Partial<CardVault> = {}): CardVault => ({
  tokenizeCode: async () => ({ status: 'tokenized', providerToken: 'cvctok_1' }),
  store: async () => aStoredState(),
  describeStored: async () => aStoredState(),
  revoke: async () => aStoredState({ status: 'revoked' }),
  ...changes,
});
