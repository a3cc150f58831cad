import {
  BrokenCircuitError,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  ExponentialBackoff,
  handleWhen,
  retry,
} from 'cockatiel';
import type { Logger } from '../../platform/logger.ts';
import { checkedAnswers } from './checked-answers.ts';
import {
  type Asking,
  NotShownYet,
  type PaymentProvider,
  ProviderBusy,
  ProviderTimeout,
  UnknownStatus,
} from './provider.ts';
import type { Circuit } from './provider-health.ts';
import { type ObserveProviderCall, withTimeout } from './with-timeout.ts';

/** Calls in a row that came to nothing before the provider is left alone, and for how long. */
const FAILURES_UNTIL_OPEN = 20;
const OPEN_FOR_MS = 10_000;
const RETRIES = 2;

/** Errors that another try at once would meet again. */
const DECIDED = [ProviderTimeout, ProviderBusy, UnknownStatus, NotShownYet];

type Options = {
  /** For one call with its retries. */
  readonly timeoutMs: number;
  readonly observe: ObserveProviderCall;
  readonly onCircuit?: (circuit: Circuit) => void;
  readonly logger: Logger;
};

const NAMES_OF_STATES: Readonly<Record<CircuitState, Circuit>> = {
  [CircuitState.Closed]: 'closed',
  [CircuitState.HalfOpen]: 'half_open',
  [CircuitState.Open]: 'open',
  [CircuitState.Isolated]: 'open',
};

/** Runs a call to the provider under a policy; `attempt` is 0 where it is made for the first time. */
type Run = <T>(call: (attempt: number) => Promise<T>) => Promise<T>;

/**
 * The provider with checked answers, retries and a circuit breaker. A broken call is made again twice at most, with the
 * same reference, within `timeoutMs`. A time-out is left to the reconciler, because the payment may be in flight. An
 * open circuit rejects calls with BrokenCircuitError, and leaves them to the reconciler, too.
 */
export const resilient = (
  provider: PaymentProvider,
  { logger, onCircuit, ...timing }: Options,
): PaymentProvider => {
  const again = retry(
    handleWhen((error) => !DECIDED.some((kind) => error instanceof kind)),
    { maxAttempts: RETRIES, backoff: new ExponentialBackoff({ initialDelay: 50, maxDelay: 500 }) },
  );
  const circuit = circuitBreaker(
    handleWhen((error) => !(error instanceof UnknownStatus)),
    {
      halfOpenAfter: OPEN_FOR_MS,
      breaker: new ConsecutiveBreaker(FAILURES_UNTIL_OPEN),
    },
  );
  circuit.onBreak(() =>
    logger.error({ provider: provider.name }, 'the provider does not answer: circuit open'),
  );
  circuit.onReset(() => logger.warn({ provider: provider.name }, 'the provider answers again'));
  circuit.onStateChange((state) => onCircuit?.(NAMES_OF_STATES[state]));
  const repeated = under(checkedAnswers(provider), (call) => again.execute(({ attempt }) => call(attempt)));
  return under(withTimeout(repeated, timing), (call) => circuit.execute(() => call(0)));
};

export const isCircuitOpen = (error: unknown): boolean => error instanceof BrokenCircuitError;

/** A repetition is never the first request. */
const at = (attempt: number, asking: Asking | undefined): Asking => ({
  isFirst: attempt === 0 && asking?.isFirst === true,
});

const under = ({ tokenize, vault, mandates, ...provider }: PaymentProvider, run: Run): PaymentProvider => ({
  name: provider.name,
  methods: provider.methods,
  cards: provider.cards,
  ...(provider.dueDates && { dueDates: provider.dueDates }),
  ...(provider.asksBack && { asksBack: provider.asksBack }),
  ...(tokenize && { tokenize: (request) => run(() => tokenize(request)) }),
  ...(vault && {
    vault: {
      tokenizeCode: (request) => run(() => vault.tokenizeCode(request)),
      store: (request) => run(() => vault.store(request)),
      describeStored: (order) => run(() => vault.describeStored(order)),
      revoke: (order) => run(() => vault.revoke(order)),
    },
  }),
  ...(mandates && {
    mandates: {
      enroll: (request) => run(() => mandates.enroll(request)),
      describeMandate: (order) => run(() => mandates.describeMandate(order)),
      revokeMandate: (order) => run(() => mandates.revokeMandate(order)),
    },
  }),
  authorize: (request, asking) => run((attempt) => provider.authorize(request, at(attempt, asking))),
  refund: (request, asking) => run((attempt) => provider.refund(request, at(attempt, asking))),
  describePayment: (order) => run(() => provider.describePayment(order)),
  describeRefund: (request) => run(() => provider.describeRefund(request)),
  cancel: (order) => run(() => provider.cancel(order)),
  // A worker tries again what takes long, and a connector bounds each of its calls itself.
  ...(provider.submitEvidence && { submitEvidence: provider.submitEvidence }),
  verify: (delivery) => provider.verify(delivery),
  // News is not held up by calls that failed; a connector that asks back bounds each of its calls itself.
  notificationsIn: (delivery) => provider.notificationsIn(delivery),
  ...(provider.newsSince ? { newsSince: provider.newsSince } : {}),
});
