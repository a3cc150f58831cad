import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { PATIENT } from '../support/client.ts';
import { useGateway } from '../support/gateway.ts';
import { buildProgram, endPrograms, type Program, startProgram, untilPrinted } from '../support/program.ts';

const MIB = 1024 * 1024;
/** As `docker-compose.yml` limits the program, and `make run` its heap. */
const LIMIT_MIB = 512;
const HEAP = { NODE_OPTIONS: '--max-old-space-size=384' };

const SUBMERCHANT = { legalName: 'Filial', email: 'filial@example.test' };

const gateway = useGateway(PATIENT);
let program: Program;
let url: string;
let master: string;
beforeAll(async () => {
  await buildProgram();
  const { testKey } = await gateway().createMaster();
  master = `Basic ${Buffer.from(`${testKey}:`).toString('base64')}`;
  program = startProgram('dist/src/main/main.js', { ...gateway().variables, ...HEAP, PORT: '0' });
  url = (await untilPrinted(program, /^Portico is listening on (http\S+)/m))[1] ?? '';
}, 300_000);
afterAll(endPrograms);

/** The most memory that the program ever had; the system keeps it, so no peak is missed between two looks. */
const peak = (): number => {
  const [, kilobytes] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${program.pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1024);
};

const post = async (path: string, body: string | FormData): Promise<{ status: number; id: string }> => {
  const type = typeof body === 'string' ? { 'content-type': 'application/json' } : {};
  const headers = { authorization: master, ...type };
  const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body });
  const { id } = (await answer.json()) as { id: string };
  return { status: answer.status, id };
};

/** All at once, and each again and again. */
const storm = async <T>(
  clients: readonly T[],
  times: number,
  attack: (client: T, time: number) => Promise<void>,
): Promise<void> => {
  const run = async (client: T): Promise<void> => {
    for (let time = 0; time < times; time += 1) await attack(client, time);
  };
  await Promise.all(clients.map(run));
};

/** Other systems tell no peak. */
const onLinux = process.platform === 'linux' ? it : it.skip;

describe('the program under attack has no more memory than its container', () => {
  onLinux(
    'while eight clients upload documents of 10 MiB, in both forms',
    async () => {
      const content = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(10 * MIB - 9)]);
      const json = JSON.stringify({
        ...{ type: 'identity', fileName: 'a.pdf' },
        content: content.toString('base64'),
      });
      // One has room for five.
      const ids: string[] = [];
      for (let client = 0; client < 8; client += 1)
        ids.push((await post('/v1/submerchants', JSON.stringify(SUBMERCHANT))).id);
      await storm(ids, 4, async (id, time) => {
        const form = new FormData();
        form.append('type', 'identity');
        form.append('file', new Blob([content]), 'a.pdf');
        const { status } = await post(`/v1/submerchants/${id}/documents`, time % 2 === 0 ? form : json);
        expect([201, 503]).toContain(status);
      });
      expect(peak()).toBeLessThan(LIMIT_MIB);
    },
    300_000,
  );

  onLinux(
    'while sixteen clients send the worst texts of 255 KiB',
    async () => {
      const texts = ['1 ', '4242 4242 4242 4241 ', '１', '1\u0301\u0323', '\\', 'a@'].map((text) => {
        const times = Math.floor((255 * 1024) / (Buffer.byteLength(JSON.stringify(text)) - 2));
        return JSON.stringify({ reference: text.repeat(times) });
      });
      await storm([...Array(16).keys()], 2 * texts.length, async (_, time) => {
        const { status } = await post('/v1/charges', texts[time % texts.length] ?? '');
        expect([400, 503]).toContain(status);
      });
      expect(peak()).toBeLessThan(LIMIT_MIB);
    },
    300_000,
  );

  onLinux(
    'while a thousand sockets send most of the largest body and then nothing',
    async () => {
      const { hostname, port } = new URL(url);
      const head = `POST /v1/charges HTTP/1.1\r\nHost: a\r\nAuthorization: ${master}\r\nContent-Type: application/json\r\n`;
      const text = `${head}Content-Length: ${256 * 1024}\r\n\r\n{"reference":"${'x'.repeat(255 * 1024)}`;
      const sockets: Socket[] = [];
      for (let index = 0; index < 1_000; index += 1) {
        const socket = connect(Number(port), hostname);
        socket.on('error', () => undefined).resume();
        sockets.push(socket);
        await once(socket, 'connect');
        socket.write(text);
      }
      expect((await fetch(`${url}/health/live`)).status).toBe(200);
      for (const socket of sockets) socket.destroy();
      expect(peak()).toBeLessThan(LIMIT_MIB);
    },
    300_000,
  );
});
