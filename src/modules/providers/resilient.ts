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
import { type PaymentProvider, ProviderBusy, ProviderTimeout, UnknownStatus } from './provider.ts';
import type { Circuit } from './provider-health.ts';
import { type ObserveProviderCall, withTimeout } from './with-timeout.ts';

/** Calls in a row that came to nothing before the provider is left alone, and for how long. */
const FAILURES_UNTIL_OPEN = 20;
const OPEN_FOR_MS = 10_000;
const RETRIES = 2;

/** Errors that another try at once would meet again. */
const DECIDED = [ProviderTimeout, ProviderBusy, UnknownStatus];

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

/** Runs a call to the provider under a policy. */
type Run = <T>(call: () => Promise<T>) => Promise<T>;

/**
 * The provider with checked answers, retries and a circuit breaker. A broken call is made again twice at most, with the same reference,
 * within `timeoutMs`. A time-out is left to the reconciler, because the payment may be in flight. An open circuit
 * rejects calls with BrokenCircuitError, and leaves them to the reconciler, too.
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
  const repeated = under(checkedAnswers(provider), (call) => again.execute(call));
  return under(withTimeout(repeated, timing), (call) => circuit.execute(call));
};

export const isCircuitOpen = (error: unknown): boolean => error instanceof BrokenCircuitError;

const under = (provider: PaymentProvider, run: Run): PaymentProvider => ({
  name: provider.name,
  methods: provider.methods,
  cards: provider.cards,
  authorize: (request) => run(() => provider.authorize(request)),
  refund: (request) => run(() => provider.refund(request)),
  describePayment: (order) => run(() => provider.describePayment(order)),
  describeRefund: (request) => run(() => provider.describeRefund(request)),
  cancel: (order) => run(() => provider.cancel(order)),
  verify: (delivery) => provider.verify(delivery),
  // News is not held up by calls that failed; a connector that asks back bounds each of its calls itself.
  notificationsIn: (delivery) => provider.notificationsIn(delivery),
});
