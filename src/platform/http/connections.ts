import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { siteOf } from '../networks.ts';

/** Limits of the connections that a server holds open. */
export type ConnectionBounds = {
  readonly total: number;
  /** Connections from one address, or for IPv6 from one /64 network. */
  readonly perAddress: number;
  /** Whether an address is a proxy, which connects for many clients and so counts only in `total`. */
  readonly isProxy: (address: string) => boolean;
};

/** The most pipelined requests of one connection; a client that sends more without reading answers is cut off. */
const REQUESTS_AT_ONCE = 16;

type Connection = {
  readonly socket: Socket;
  readonly site: string;
  /** Requests that have not been answered yet. */
  readonly requests: Set<IncomingMessage>;
};

/**
 * Keeps a server's connections within limits, while new clients can still connect. Where a limit is reached, the oldest
 * connection that waits for its client is closed; one that never had an answer goes before one that is kept alive. A
 * complete request is never cut off; where every connection has one, the new connection is refused.
 */
export const boundConnections = (server: Server, bounds: ConnectionBounds): void => {
  const pools = new Map<string, Pool>();
  const everyone = createPool(bounds.total);
  const connections = new Map<string, Connection>();

  const poolOf = (site: string): Pool => {
    const pool = pools.get(site) ?? createPool(bounds.perAddress);
    pools.set(site, pool);
    return pool;
  };

  server.on('connection', (socket: Socket) => {
    const address = plainAddress(socket.remoteAddress ?? '');
    const site = siteOf(address);
    const mine = bounds.isProxy(address) ? [everyone] : [poolOf(site), everyone];
    if (!mine.every((pool) => pool.makeRoom())) {
      socket.destroy();
      return;
    }
    const connection: Connection = { socket, site, requests: new Set() };
    const key = keyOf(socket);
    connections.set(key, connection);
    for (const pool of mine) pool.add(connection);
    socket.once('close', () => {
      connections.delete(key);
      for (const pool of mine) pool.remove(connection);
      if (pools.get(site)?.isEmpty()) pools.delete(site);
    });
  });

  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(keyOf(request.socket));
    if (!connection) return;
    connection.requests.add(request);
    if (connection.requests.size > REQUESTS_AT_ONCE) connection.socket.destroy();
    response.once('close', () => {
      connection.requests.delete(request);
      for (const pool of [pools.get(connection.site), everyone]) pool?.served(connection);
    });
  });
};

type Pool = ReturnType<typeof createPool>;

/** Connections in the order in which they may have to be closed. */
const createPool = (limit: number) => {
  const unanswered = new Set<Connection>();
  const keptAlive = new Set<Connection>();
  const remove = (connection: Connection): void => {
    unanswered.delete(connection);
    keptAlive.delete(connection);
  };
  return {
    /** Whether there is room for one more connection, after closing one that waits for its client if necessary. */
    makeRoom(): boolean {
      if (unanswered.size + keptAlive.size < limit) return true;
      const waiting = firstWaiting(unanswered) ?? firstWaiting(keptAlive);
      if (!waiting) return false;
      remove(waiting);
      waiting.socket.destroy();
      return true;
    },
    add: (connection: Connection) => unanswered.add(connection),
    remove,
    /** Moves a connection behind all others. */
    served(connection: Connection): void {
      if (!unanswered.has(connection) && !keptAlive.has(connection)) return;
      remove(connection);
      keptAlive.add(connection);
    },
    isEmpty: () => unanswered.size + keptAlive.size === 0,
  };
};

const firstWaiting = (connections: ReadonlySet<Connection>): Connection | null => {
  for (const connection of connections) {
    if ([...connection.requests].every((request) => !request.complete)) return connection;
  }
  return null;
};

/** Identifies a connection by its remote end, because inside TLS the server uses another socket object. */
const keyOf = (socket: Socket): string => `${socket.remoteAddress} ${socket.remotePort}`;

/** An IPv4 address in its own notation, where a socket for both families shows it as `::ffff:192.0.2.1`. */
const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/, '');
