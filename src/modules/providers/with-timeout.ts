import { SpanKind } from '@opentelemetry/api';
import { inSpan, noteOnSpan } from '../../platform/tracing.ts';
import { type PaymentProvider, ProviderTimeout, UnknownStatus } from './provider.ts';

type ProviderOperation =
  | 'tokenize'
  | 'store'
  | 'describeStored'
  | 'revoke'
  | 'enroll'
  | 'describeMandate'
  | 'revokeMandate'
  | 'authorize'
  | 'refund'
  | 'describePayment'
  | 'describeRefund'
  | 'cancel';

/** How a call ended: the status that it answered, `not_found`, `timeout`, `unknown_status`, or `error`. */
type ProviderOutcome = string;

export type ObserveProviderCall = (call: {
  readonly operation: ProviderOperation;
  /** Id of the charge, the refund, the card token or the payment method that the call was about. */
  readonly reference: string;
  readonly outcome: ProviderOutcome;
  readonly seconds: number;
}) => void;

/**
 * Gives a provider a time limit. A call that takes longer than `timeoutMs` rejects with ProviderTimeout, and each
 * call is reported to `observe`. The call itself goes on: whatever it does is found by asking the provider later.
 */
export const withTimeout = (
  { tokenize, vault, mandates, ...provider }: PaymentProvider,
  options: { readonly timeoutMs: number; readonly observe: ObserveProviderCall },
): PaymentProvider => {
  const call = <T extends { readonly status: string } | null>(
    operation: ProviderOperation,
    reference: string,
    work: () => Promise<T>,
  ): Promise<T> => {
    const attributes = { 'portico.provider': provider.name, 'portico.reference': reference };
    const span = { kind: SpanKind.CLIENT, attributes };
    return inSpan(`${operation} ${provider.name}`, span, () => timed(operation, reference, work));
  };

  const timed = async <T extends { readonly status: string } | null>(
    operation: ProviderOperation,
    reference: string,
    work: () => Promise<T>,
  ): Promise<T> => {
    const startedAt = performance.now();
    const done = (outcome: ProviderOutcome): void => {
      noteOnSpan({ 'portico.outcome': outcome });
      options.observe({ operation, reference, outcome, seconds: (performance.now() - startedAt) / 1000 });
    };
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new ProviderTimeout(operation)), options.timeoutMs);
    });
    try {
      const answer = await Promise.race([work(), deadline]);
      done(answer?.status ?? 'not_found');
      return answer;
    } catch (error) {
      done(outcomeOf(error));
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };

  return {
    name: provider.name,
    methods: provider.methods,
    cards: provider.cards,
    ...(provider.dueDates && { dueDates: provider.dueDates }),
    ...(provider.asksBack && { asksBack: provider.asksBack }),
    ...(tokenize && {
      tokenize: (request) => call('tokenize', request.reference, () => tokenize(request)),
    }),
    ...(vault && {
      vault: {
        tokenizeCode: (request) => call('tokenize', request.reference, () => vault.tokenizeCode(request)),
        store: (request) => call('store', request.reference, () => vault.store(request)),
        describeStored: (order) => call('describeStored', order.reference, () => vault.describeStored(order)),
        revoke: (order) => call('revoke', order.reference, () => vault.revoke(order)),
      },
    }),
    ...(mandates && {
      mandates: {
        enroll: (request) => call('enroll', request.reference, () => mandates.enroll(request)),
        describeMandate: (order) =>
          call('describeMandate', order.reference, () => mandates.describeMandate(order)),
        revokeMandate: (order) => call('revokeMandate', order.reference, () => mandates.revokeMandate(order)),
      },
    }),
    authorize: (request, asking) =>
      call('authorize', request.reference, () => provider.authorize(request, asking)),
    refund: (request, asking) => call('refund', request.reference, () => provider.refund(request, asking)),
    describePayment: (order) =>
      call('describePayment', order.reference, () => provider.describePayment(order)),
    describeRefund: (request) =>
      call('describeRefund', request.reference, () => provider.describeRefund(request)),
    cancel: (order) => call('cancel', order.reference, () => provider.cancel(order)),
    ...(provider.submitEvidence && { submitEvidence: provider.submitEvidence }),
    verify: (delivery) => provider.verify(delivery),
    notificationsIn: (delivery) => provider.notificationsIn(delivery),
    ...(provider.newsSince ? { newsSince: provider.newsSince } : {}),
  };
};

const outcomeOf = (error: unknown): ProviderOutcome => {
  if (error instanceof UnknownStatus) return 'unknown_status';
  return error instanceof ProviderTimeout ? 'timeout' : 'error';
};
