import { AggregatorRegistry, type Registry } from 'prom-client';

export const METRICS_QUESTION = 'portico:metrics';
export const METRICS_ANSWER = 'portico:metrics-of-all';

export type MetricsQuestion = { readonly type: typeof METRICS_QUESTION; readonly id: number };
type MetricsAnswer = {
  readonly type: typeof METRICS_ANSWER;
  readonly id: number;
  readonly metrics?: string;
  readonly error?: string;
};

/** The metrics of all processes under one parent, which adds them up; asked for in one of them. */
export const createMetricsOfAll = (own: Registry): Pick<Registry, 'contentType' | 'metrics'> => {
  // Answers the parent when it asks for those of this process.
  new AggregatorRegistry();
  AggregatorRegistry.setRegistries([own]);
  let last = 0;
  const waiting = new Map<number, (answer: MetricsAnswer) => void>();
  process.on('message', (answer: MetricsAnswer) => {
    if (answer.type !== METRICS_ANSWER) return;
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  return {
    contentType: own.contentType,
    metrics: () =>
      new Promise((resolve, reject) => {
        last += 1;
        waiting.set(last, ({ metrics, error }) =>
          metrics === undefined ? reject(new Error(error)) : resolve(metrics),
        );
        process.send?.({ type: METRICS_QUESTION, id: last });
      }),
  };
};
