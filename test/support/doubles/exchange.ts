import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Trouble of one request: refused unread, or done without an answer, with a late one or with an error. */
export type Trouble =
  | 'drop'
  | 'lose'
  | { readonly delayMs: number }
  | { readonly status: number; readonly retryAfter?: number; readonly code?: string };

type DoubleAnswer = {
  readonly status: number;
  /** JSON; left out where it is undefined. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

const send = (response: ServerResponse, { status, body, headers = {} }: DoubleAnswer): void => {
  const type = { 'Content-Type': 'application/json' };
  response
    .writeHead(status, body === undefined ? headers : { ...type, ...headers })
    .end(body === undefined ? undefined : JSON.stringify(body));
};

/** Answers one request of a double of a provider, with the trouble that it has. */
export const exchange = async (
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
  luck: Trouble | null,
  {
    work,
    errorBody,
  }: {
    /** Does what was requested, and notes it in the transcript. */
    readonly work: () => Promise<DoubleAnswer>;
    /** The body of an answer with an error that is pure bad luck. */
    readonly errorBody: (trouble: { readonly status: number; readonly code?: string }) => unknown;
  },
): Promise<void> => {
  if (luck === 'drop') return void request.socket.destroy();
  if (luck !== null && luck !== 'lose' && 'status' in luck) {
    const headers = luck.retryAfter === undefined ? {} : { 'Retry-After': String(luck.retryAfter) };
    return send(response, { status: luck.status, body: errorBody(luck), headers });
  }
  const answer = await work();
  if (luck === 'lose') return void request.socket.destroy();
  if (luck !== null) await sleep(luck.delayMs);
  send(response, answer);
};

/** Listens on this machine, at a free port by default; a fault of the double itself is noted. */
export const listenAsDouble = async (
  server: Server,
  {
    port: given = 0,
    serve,
    note,
  }: {
    readonly port?: number;
    readonly serve: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    readonly note: (fault: string) => void;
  },
): Promise<{ readonly port: number; readonly stop: () => Promise<void> }> => {
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    serve(request, response).catch((error: unknown) => {
      note(String(error));
      response.writeHead(500).end();
    });
  });
  server.listen(given, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async stop() {
      server.close();
      server.closeAllConnections();
    },
  };
};
