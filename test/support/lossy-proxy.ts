import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A connection to MongoDB over which answers to commits can get lost after they took effect. */
export type LossyProxy = {
  readonly uri: string;
  /** Loses the answers to the next `count` commits: the connection ends instead, after `onLoss` is done. */
  loseCommits(count: number, onLoss?: () => Promise<void>): void;
  /** How many answers have been lost. */
  readonly lost: number;
  close(): Promise<void>;
};

/** The element of a command document by which a commit can be known: type, name, NUL. */
const COMMIT = Buffer.from('\x10commitTransaction\0', 'latin1');

export const startLossyProxy = async (uri: string): Promise<LossyProxy> => {
  const { host, hostname, port } = new URL(uri);
  const sockets = new Set<Socket>();
  let toLose = 0;
  let lost = 0;
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
