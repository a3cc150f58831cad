import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/** Requests to a receiver, whatever it did with them. */
export type Received = {
  readonly path: string;
  readonly eventId: string;
  readonly attempt: number;
  readonly sequence: number | null;
  readonly body: string;
  readonly at: number;
  /** Whether it answered that it has it. */
  readonly accepted: boolean;
};

/** How a receiver takes a request; a number is a time in milliseconds to wait before a 200. */
type Reaction = 'accept' | 'drop' | 'reset' | 'fail' | 'redirect' | 'hang' | number;

export type Receiver = {
  readonly url: string;
  readonly received: Received[];
  /** Requests to where it redirected to. */
  readonly followed: number;
  /** From now on it reacts so. */
  react(to: (request: Pick<Received, 'path' | 'attempt'>) => Reaction): void;
  close(): Promise<void>;
};

const REDIRECTED = '/redirected';

/** Drops 30 % without an answer, and delays, resets, fails or redirects as many more; from the fourth attempt on it accepts. */
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
