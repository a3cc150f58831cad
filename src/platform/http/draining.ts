import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** How a server stops serving its clients. */
export type Draining = {
  /** True once `stop` was called: load balancers are told to send no more requests. */
  isStopping(): boolean;
  /** Continues to serve for `drainMs`, then accepts nothing more, and ends once the requests in flight are answered. */
  stop(drainMs: number): Promise<void>;
};

/** Connections that are still busy this long after `stop` are closed. */
const STOP_WITHIN_MS = 8_000;
const CLOSE_IDLE_EVERY_MS = 50;

/**
 * Lets a server stop without a failed request. A client that keeps its connection alive may send the next request at
 * the very moment at which the connection is closed. It gets a reset, and may not repeat a POST after it. Therefore the
 * server goes on for a while, and each of its answers says `Connection: close`, so that the client opens a new
 * connection to wherever the load balancer sends it. Only connections that were silent all that time remain to be
 * closed.
 */
export const drainable = (server: Server): Draining => {
  let isStopping = false;
  const inFlight = new Set<ServerResponse>();

  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    inFlight.add(response);
    response.once('close', () => inFlight.delete(response));
    if (isStopping) response.shouldKeepAlive = false;
  });

  return {
    isStopping: () => isStopping,
    async stop(drainMs) {
      isStopping = true;
      // Where the headers are sent already, the connection stays open for one more request, whose answer closes it.
      for (const response of inFlight) if (!response.headersSent) response.shouldKeepAlive = false;
      const cut = setTimeout(() => server.closeAllConnections(), STOP_WITHIN_MS);
      await sleep(drainMs);
      // A connection is idle only once its last answer is out.
      const idle = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS);
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      clearInterval(idle);
      clearTimeout(cut);
    },
  };
};
