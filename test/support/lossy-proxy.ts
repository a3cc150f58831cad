import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { BSON } from 'mongodb';

/**
 * A connection to MongoDB on which answers to commits can get lost after they took effect, and writes can be refused.
 */
export type LossyProxy = {
  readonly uri: string;
  /** Loses the answers to the next `count` commits: the connection ends instead, once `onLoss` is done. */
  loseCommits(count: number, onLoss?: () => Promise<void>): void;
  /** Answers the next `count` of these commands inside a transaction with an error, without carrying them out. */
  refuseWrites(count: number, command: 'update' | 'delete', errmsg: string): void;
  /** Number of refused writes. */
  readonly refused: number;
  /** Number of lost answers. */
  readonly lost: number;
  close(): Promise<void>;
};

/** The element of a command document that identifies a commit: type, name, NUL. */
const COMMIT = Buffer.from('\x10commitTransaction\0', 'latin1');

const IN_TRANSACTION = Buffer.from('\x08autocommit\0\0', 'latin1');
const HEADER_BYTES = 16;
const OP_MSG = 2013;

/** The answer of a failing server to the request in this message (MongoDB's wire protocol, OP_MSG). */
const failureTo = (message: Buffer, errmsg: string): Buffer => {
  const body = BSON.serialize({ ok: 0, errmsg, code: 1, codeName: 'InternalError' });
  const start = Buffer.alloc(HEADER_BYTES + 5);
  start.writeInt32LE(start.length + body.length, 0);
  start.writeInt32LE(message.readInt32LE(4), 8);
  start.writeInt32LE(OP_MSG, 12);
  return Buffer.concat([start, body]);
};

export const startLossyProxy = async (uri: string): Promise<LossyProxy> => {
  const { host, hostname, port } = new URL(uri);
  const sockets = new Set<Socket>();
  let toLose = 0;
  let lost = 0;
  let refused = 0;
  let refusal = { left: 0, element: Buffer.alloc(0), errmsg: '' };
  let whenLost: () => Promise<void> = async () => undefined;

  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname);
    let losing = false;
    const end = (): void => {
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', end).on('close', end);
      socket.on('close', () => sockets.delete(socket));
    }
    client.on('data', (message) => {
      if (refusal.left > 0 && message.includes(refusal.element) && message.includes(IN_TRANSACTION)) {
        refusal.left -= 1;
        refused += 1;
        client.write(failureTo(message, refusal.errmsg));
        return;
      }
      if (toLose > 0 && message.includes(COMMIT)) {
        toLose -= 1;
        losing = true;
      }
      server.write(message);
    });
    server.on('data', (answer) => {
      if (!losing) {
        client.write(answer);
        return;
      }
      lost += 1;
      whenLost().then(end, end);
    });
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = proxy.address() as AddressInfo;

  return {
    uri: uri.replace(host, `127.0.0.1:${address.port}`),
    loseCommits(count, onLoss = async () => undefined) {
      toLose = count;
      whenLost = onLoss;
    },
    refuseWrites(count, command, errmsg) {
      refusal = { left: count, element: Buffer.from(`\x02${command}\0`, 'latin1'), errmsg };
    },
    get refused() {
      return refused;
    },
    get lost() {
      return lost;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      proxy.close();
      await once(proxy, 'close');
    },
  };
};
