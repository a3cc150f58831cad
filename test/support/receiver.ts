import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/** A request to a receiver, however the receiver reacted. */
export type Received = {
  readonly path: string;
  readonly eventId: string;
  readonly attempt: number;
  readonly sequence: number | null;
  readonly body: string;
  readonly at: number;
  /** Whether it answered that it accepted the request. */
  readonly accepted: boolean;
};

/** How a receiver reacts to a request; a number is a wait in milliseconds before a 200. */
type Reaction = 'accept' | 'drop' | 'reset' | 'fail' | 'redirect' | 'hang' | number;

export type Receiver = {
  readonly url: string;
  readonly received: Received[];
  /** Number of requests that followed its redirect. */
  readonly followed: number;
  /** Sets how it reacts from now on. */
  react(to: (request: Pick<Received, 'path' | 'attempt'>) => Reaction): void;
  close(): Promise<void>;
};

const REDIRECTED = '/redirected';

/**
 * Drops 30 % of the requests without an answer, and delays, resets, fails or redirects as many more; accepts from the
 * fourth attempt on.
 */
export const flaky = ({ attempt }: Pick<Received, 'attempt'>): Reaction => {
  if (attempt > 3 || Math.random() < 0.3) return 'accept';
  if (Math.random() < 0.43) return 'drop';
  const reactions: readonly Reaction[] = ['reset', 'fail', 'redirect', 50];
  return reactions[Math.floor(Math.random() * reactions.length)] ?? 'accept';
};

/** A receiver of webhooks on this machine that accepts everything until it is told otherwise. */
export const startReceiver = async (): Promise<Receiver> => {
  let react: Parameters<Receiver['react']>[0] = () => 'accept';
  let followed = 0;
  const received: Received[] = [];

  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? '';
    if (path === REDIRECTED) followed += 1;
    const body = await text(request);
    const attempt = Number(request.headers['x-delivery-attempt']);
    const reaction = react({ path, attempt });
    const sequence = request.headers['x-delivery-sequence'];
    const took: Omit<Received, 'accepted'> = {
      path,
      eventId: String(request.headers['x-event-id']),
      attempt,
      sequence: sequence === undefined ? null : Number(sequence),
      body,
      at: performance.now(),
    };
    if (typeof reaction === 'number') await sleep(reaction);
    const accepted = reaction === 'accept' || typeof reaction === 'number';
    received.push({ ...took, accepted });
    if (accepted) response.writeHead(200).end('taken');
    else if (reaction === 'drop') request.socket.destroy();
    else if (reaction === 'reset') request.socket.resetAndDestroy();
    else if (reaction === 'fail') response.writeHead(500).end('broken');
    else if (reaction === 'redirect') response.writeHead(302, { Location: REDIRECTED }).end();
  };
  const server = createServer((request, response) => {
    // The sender may be killed at any time.
    take(request, response).catch(() => request.socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    get followed() {
      return followed;
    },
    react(to) {
      react = to;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
