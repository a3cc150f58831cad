import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { startClamd } from '../../../test/support/clamd.ts';
import { createClamdScan } from './clamd.ts';

const EICAR = 'X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*';

describe('a scan by clamd', () => {
  it('sends the whole content in chunks and tells the name of the malware', async () => {
    const clamd = await startClamd();
    const scan = createClamdScan(clamd.url);
    const pieces = Array.from({ length: 300 }, (_, index) => Buffer.alloc(20_000, index));
    expect(await scan(Readable.from(pieces))).toEqual({ signature: null });
    expect(
      await scan(Readable.from([EICAR.slice(0, 20), EICAR.slice(20)].map((part) => Buffer.from(part)))),
    ).toEqual({
      signature: 'Eicar-Test-Signature',
    });
    expect(clamd.scanned[0]?.equals(Buffer.concat(pieces))).toBe(true);
    await clamd.stop();
  });

  const answering = async (answer: (socket: Socket) => void): Promise<{ server: Server; url: string }> => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      answer(socket);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return { server, url: `tcp://127.0.0.1:${(server.address() as { port: number }).port}` };
  };

  it.each<[string, (socket: Socket) => void]>([
    ['says that the stream is too long', (socket) => socket.end('INSTREAM size limit exceeded. ERROR\0')],
    ['hangs up', (socket) => socket.destroy()],
    ['answers something else', (socket) => socket.end('HTTP/1.1 400 Bad Request')],
  ])('fails where the daemon %s: no content counts as clean by mistake', async (_, answer) => {
    const { server, url } = await answering(answer);
    const pieces = Array.from({ length: 100 }, () => Buffer.alloc(60_000));
    await expect(createClamdScan(url)(Readable.from(pieces))).rejects.toThrow();
    server.close();
  });

  it('fails where nobody listens', async () => {
    const { server, url } = await answering(() => undefined);
    server.close();
    await once(server, 'close');
    await expect(createClamdScan(url)(Readable.from([Buffer.from('a')]))).rejects.toThrow('ECONNREFUSED');
  });

  it('of a content that breaks off is no verdict', async () => {
    const clamd = await startClamd();
    const broken = Readable.from(
      (async function* () {
        yield Buffer.from('half');
        throw new Error('broken');
      })(),
    );
    await expect(createClamdScan(clamd.url)(broken)).rejects.toThrow('broken');
    await clamd.stop();
    expect(await text(Readable.from(clamd.scanned))).toBe('');
  });
});
