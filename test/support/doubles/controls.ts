import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Plays a payer or a bank for a charge; resolves to the status with which the gateway answered the news. */
export type Action = (chargeId: string) => Promise<number>;

/** The provider's own records of a charge; throws where it has none. */
type Books = (chargeId: string) => object;

/** Serves actions at `POST /{charge}/{action}` and records at `GET /{charge}` on this machine; returns the address. */
export const startControls = async (
  host: string,
  actions: Readonly<Record<string, Action>>,
  books: Books,
): Promise<string> => {
  const show = (path: string): { readonly status: number; readonly text: string } => {
    try {
      return { status: 200, text: JSON.stringify(books(path.slice(1)), null, 2) };
    } catch (error) {
      return { status: 404, text: (error as Error).message };
    }
  };
  const play = async (path: string): Promise<{ readonly status: number; readonly text: string }> => {
    const [, chargeId = '', name = ''] = path.split('/');
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (!action) return { status: 404, text: `actions: ${Object.keys(actions).join(', ')}` };
    try {
      return { status: 200, text: `the gateway answered ${await action(chargeId)}` };
    } catch (error) {
      return { status: 409, text: (error as Error).message };
    }
  };
  const server = createServer((request, response) => {
    const played =
      request.method === 'POST' ? play(request.url ?? '') : Promise.resolve(show(request.url ?? ''));
    void played.then(({ status, text }) =>
      response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' }).end(`${text}\n`),
    );
  });
  server.listen(0, host);
  await once(server, 'listening');
  return `http://${host}:${(server.address() as AddressInfo).port}`;
};
