import type { PostResult } from '../../src/platform/outbound/guarded-post.ts';
import type { World } from './world/world.ts';

/** Deliveries that merchants' servers got. */
export type Received = {
  /** URL and event of each delivery that was answered with success. */
  readonly accepted: Set<string>;
  /** The bodies of each event at each URL, of which there is one however often it comes. */
  readonly bodies: Map<string, Set<string>>;
};

const FAILED = { response: null, retryAfterSeconds: null, durationMs: 1 } as const;

/** Has merchants' servers take what they get; at times they are slow, answer with an error, or not at all. */
export const createReceivers = (world: World): Received => {
  const { scheduler, random, log, weather } = world;
  const received: Received = { accepted: new Set(), bodies: new Map() };
  const answerTo = (url: string, event: string): PostResult => {
    const isAway = random.happens(weather.lost * 10);
    if (isAway) return { ...FAILED, statusCode: null, error: 'connection_refused', connected: false };
    if (random.happens(weather.lost * 10))
      return { ...FAILED, statusCode: 500, error: null, connected: true };
    received.accepted.add(`${url} ${event}`);
    if (random.happens(weather.unanswered * 10))
      return { ...FAILED, statusCode: null, error: 'connection_reset', connected: true };
    return { ...FAILED, statusCode: 200, error: null, connected: true };
  };
  world.receive = ({ url, headers, body, signal }) => {
    const { owner } = scheduler;
    const event = headers['X-Event-Id'] ?? 'an event without its id';
    return new Promise((resolve) => {
      const aborted = (): void => resolve({ ...FAILED, statusCode: null, error: 'aborted', connected: true });
      signal?.addEventListener('abort', aborted);
      scheduler.plan(
        1 + random.next() * (random.happens(weather.slow) ? 9_000 : 50),
        () => {
          const answer = answerTo(url, event);
          const bodies = received.bodies.get(`${url} ${event}`) ?? new Set();
          received.bodies.set(`${url} ${event}`, bodies.add(body.toString()));
          log.note(`${owner} posts ${event}: ${answer.statusCode ?? answer.error}`);
          scheduler.plan(random.next(), () => resolve(answer), owner);
        },
        'receivers',
      );
    });
  };
  return received;
};
