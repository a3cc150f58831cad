import { type PaymentProvider, ProviderTimeout } from './provider.ts';

type ProviderOperation = 'authorize' | 'refund' | 'describePayment' | 'describeRefund' | 'cancel';

/** How a call ended: the status that it answered, `not_found`, `timeout`, or `error`. */
type ProviderOutcome = string;

export type ObserveProviderCall = (
  operation: ProviderOperation,
  outcome: ProviderOutcome,
  seconds: number,
) => void;

/**
 * The same provider, but a call that takes longer than `timeoutMs` rejects with ProviderTimeout, and each call is
 * reported to `observe`. The call itself goes on: whatever it does is found by asking the provider later.
 */
export const withTimeout = (
  provider: PaymentProvider,
  options: { readonly timeoutMs: number; readonly observe: ObserveProviderCall },
): PaymentProvider => {
  const call = async <T extends { readonly status: string } | null>(
    operation: ProviderOperation,
    work: () => Promise<T>,
  ): Promise<T> => {
    const startedAt = performance.now();
    const done = (outcome: ProviderOutcome): void =>
      options.observe(operation, outcome, (performance.now() - startedAt) / 1000);
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new ProviderTimeout(operation)), options.timeoutMs);
    });
    try {
      const answer = await Promise.race([work(), deadline]);
      done(answer?.status ?? 'not_found');
      return answer;
    } catch (error) {
      done(error instanceof ProviderTimeout ? 'timeout' : 'error');
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };

  return {
    name: provider.name,
    methods: provider.methods,
    authorize: (request) => call('authorize', () => provider.authorize(request)),
    refund: (request) => call('refund', () => provider.refund(request)),
    describePayment: (reference) => call('describePayment', () => provider.describePayment(reference)),
    describeRefund: (reference) => call('describeRefund', () => provider.describeRefund(reference)),
    parseNotification: (body) => provider.parseNotification(body),
    cancel: (reference) => call('cancel', () => provider.cancel(reference)),
  };
};
