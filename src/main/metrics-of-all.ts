import cluster, { type Worker } from 'node:cluster';
import { AggregatorRegistry, type MetricObject, type Registry } from 'prom-client';

const QUESTION = 'portico:metrics';
const ANSWER = 'portico:metrics-of-all';
const OWN_QUESTION = 'portico:own-metrics';
const OWN_ANSWER = 'portico:metrics-of-one';

type Question = { readonly type: typeof QUESTION | typeof OWN_QUESTION; readonly id: number };
type Answer = { readonly type: typeof ANSWER; readonly id: number; readonly metrics: string };
type OwnAnswer = {
  readonly type: typeof OWN_ANSWER;
  readonly id: number;
  readonly metrics: readonly MetricObject[];
};

/** A process that takes longer to answer is left out, so that Prometheus still gets the metrics of the others. */
const ANSWERS_WITHIN_MS = 2_000;

/** The metrics of all processes under one parent. One process asks the parent, which adds them up. */
export const createMetricsOfAll = (own: Registry): Pick<Registry, 'contentType' | 'metrics'> => {
  let last = 0;
  const waiting = new Map<number, (metrics: string) => void>();
  process.on('message', (message: Question | Answer) => {
    if (message.type === ANSWER) {
      waiting.get(message.id)?.(message.metrics);
      waiting.delete(message.id);
    } else if (message.type === OWN_QUESTION) {
      void own
        .getMetricsAsJSON()
        .then((metrics) => process.send?.({ type: OWN_ANSWER, id: message.id, metrics }));
    }
  });
  return {
    contentType: own.contentType,
    metrics: () =>
      new Promise((resolve) => {
        last += 1;
        waiting.set(last, resolve);
        process.send?.({ type: QUESTION, id: last });
      }),
  };
};

/** Answers each process that asks with the metrics of all of them. A process that does not listen yet has none. */
export const answerMetrics = (): void => {
  const listening = new Set<Worker>();
  cluster.on('listening', (child) => listening.add(child));
  cluster.on('disconnect', (child) => listening.delete(child));
  cluster.on('exit', (child) => listening.delete(child));
  let last = 0;
  const waiting = new Map<number, (metrics: readonly MetricObject[]) => void>();

  const ownOf = (child: Worker): Promise<readonly MetricObject[]> =>
    new Promise((resolve) => {
      last += 1;
      const id = last;
      const done = (metrics: readonly MetricObject[]): void => {
        clearTimeout(timer);
        waiting.delete(id);
        resolve(metrics);
      };
      const timer = setTimeout(() => done([]), ANSWERS_WITHIN_MS);
      waiting.set(id, done);
      // The process may end at this very moment.
      child.send({ type: OWN_QUESTION, id }, (error) => {
        if (error) done([]);
      });
    });

  const ofAll = async (): Promise<string> => {
    const each = await Promise.all([...listening].filter((child) => child.isConnected()).map(ownOf));
    return AggregatorRegistry.aggregate(each.filter((metrics) => metrics.length > 0)).metrics();
  };

  cluster.on('message', (child, message: Question | OwnAnswer) => {
    if (message.type === OWN_ANSWER) waiting.get(message.id)?.(message.metrics);
    else if (message.type === QUESTION)
      void ofAll().then((metrics) => {
        if (child.isConnected()) child.send({ type: ANSWER, id: message.id, metrics });
      });
  });
};
