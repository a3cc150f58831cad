import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A connection to a server that can be cut. Its port is then closed, as if the server were down. */
type CutOff = {
  readonly url: string;
  cut(): Promise<void>;
  mend(): Promise<void>;
};

export const startCutOff = async (url: string): Promise<CutOff> => {
  const { host, hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname);
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(from);
      from
        .on('error', () => to.destroy())
        .on('close', () => {
          sockets.delete(from);
          to.destroy();
        });
      from.pipe(to);
    }
  });
  const listen = async (at: number): Promise<void> => {
    proxy.listen(at, '127.0.0.1');
    await once(proxy, 'listening');
  };
  await listen(0);
  const own = (proxy.address() as AddressInfo).port;
  return {
    url: url.replace(host, `127.0.0.1:${own}`),
    async cut() {
      proxy.close();
      for (const socket of sockets) socket.destroy();
      await once(proxy, 'close');
    },
    mend: () => listen(own),
  };
};
