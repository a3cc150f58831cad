import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

const COMMAND = 'zINSTREAM\0';

/** A stand-in for ClamAV's daemon that supports INSTREAM and recognizes only the EICAR test file. */
export const startClamd = async () => {
  const scanned: Buffer[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    serve(socket, scanned);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Contents that arrived completely. */
    scanned,
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
};

const serve = (socket: Socket, scanned: Buffer[]): void => {
  let rest = Buffer.alloc(0);
  const content: Buffer[] = [];
  let hasCommand = false;
  socket.on('data', (data) => {
    rest = Buffer.concat([rest, data]);
    if (!hasCommand && rest.length >= COMMAND.length) {
      if (rest.subarray(0, COMMAND.length).toString() !== COMMAND) socket.end('UNKNOWN COMMAND\0');
      rest = rest.subarray(COMMAND.length);
      hasCommand = true;
    }
    while (hasCommand && rest.length >= 4) {
      const length = rest.readUInt32BE();
      if (length === 0) {
        const whole = Buffer.concat(content);
        scanned.push(whole);
        socket.end(whole.includes('EICAR') ? 'stream: Eicar-Test-Signature FOUND\0' : 'stream: OK\0');
        return;
      }
      if (rest.length < 4 + length) return;
      content.push(rest.subarray(4, 4 + length));
      rest = rest.subarray(4 + length);
    }
  });
};
