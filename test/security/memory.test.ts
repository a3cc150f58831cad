import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { resolve } from 'node:path';
import { PATIENT } from '../support/client.ts';
import { useGateway } from '../support/gateway.ts';
import {
  buildProgram,
  endPrograms,
  eventually,
  type Program,
  startProgram,
  untilPrinted,
} from '../support/program.ts';
import { volume } from '../support/volume.ts';

const MIB = 1024 * 1024;
/** As `docker-compose.yml` limits the program, and `make run` its heap. */
const LIMIT_MIB = 512;
const COLLECTOR = resolve('test/support/collect-garbage.cjs');
const HEAP = { NODE_OPTIONS: `--max-old-space-size=384 --require ${COLLECTOR}` };

const UPLOADS_AT_ONCE = 4;
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

const addSubmerchants = async (count: number): Promise<readonly string[]> => {
  const ids: string[] = [];
  while (ids.length < count) ids.push((await post('/v1/submerchants', JSON.stringify(SUBMERCHANT))).id);
  return ids;
};

/** Bytes that buffers of the program hold, once what nobody uses is gone. */
const heldBytes = async (): Promise<number> => {
  process.kill(program.pid, 'SIGUSR2');
  const [, bytes] = /^nodejs_external_memory_bytes (\S+)/m.exec(await textOf('/metrics')) ?? [];
  return Number(bytes);
};
const textOf = async (path: string): Promise<string> => (await fetch(`${url}${path}`)).text();

/** A content of 10 MiB as a form, and as JSON. */
const CONTENT = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(10 * MIB - 9)]);
const JSON_BODY = JSON.stringify({
  ...{ type: 'identity', fileName: 'a.pdf' },
  content: CONTENT.toString('base64'),
});
const BOUNDARY = 'a-boundary-of-tests';
const FORM_BODY = Buffer.concat([
  Buffer.from(
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="type"\r\n\r\nidentity\r\n--${BOUNDARY}\r\n`,
  ),
  Buffer.from('Content-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n'),
  CONTENT,
  Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
]);
const BODIES = [
  { type: 'application/json', body: Buffer.from(JSON_BODY) },
  { type: `multipart/form-data; boundary=${BOUNDARY}`, body: FORM_BODY },
];

/** Begins an upload, and keeps its last bytes back. */
const beginUpload = (id: string, { type, body }: (typeof BODIES)[number]): ClientRequest => {
  const headers = { authorization: master, 'content-type': type, 'content-length': body.length };
  const upload = request(`${url}/v1/submerchants/${id}/documents`, { method: 'POST', headers });
  upload.write(body.subarray(0, -LAST));
  return upload;
};
const LAST = 100;

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

describe('uploads that have not ended', () => {
  it.each(BODIES)('lie in the store, and not in memory: $type', async (form) => {
    const ids = await addSubmerchants(UPLOADS_AT_ONCE);
    const before = await heldBytes();
    const chunks = gateway().db.collection('submerchant_files.chunks');
    const stored = await chunks.countDocuments();
    const uploads = ids.map((id) => beginUpload(id, form));
    const answers = uploads.map((upload) => once(upload, 'response'));
    // Each upload is ten MiB, and its last one waits for its end.
    await eventually(
      'nine MiB of each upload are stored',
      async () => (await chunks.countDocuments()) >= stored + 9 * UPLOADS_AT_ONCE,
    );
    const mostHeld = UPLOADS_AT_ONCE * 4 * MIB;
    await eventually('little is left in memory', async () => (await heldBytes()) < before + mostHeld, 15_000);
    for (const [index, upload] of uploads.entries()) {
      upload.end(form.body.subarray(-LAST));
      const [answer] = (await answers[index]) as [IncomingMessage];
      answer.resume();
      expect(answer.statusCode).toBe(201);
    }
  });
});

describe('the program under attack has no more memory than its container', () => {
  onLinux(
    'while eight clients upload documents of 10 MiB, in both forms',
    async () => {
      // One has room for five.
      await storm(await addSubmerchants(8), volume({ usual: 2, proof: 4 }), async (id, time) => {
        const form = new FormData();
        form.append('type', 'identity');
        form.append('file', new Blob([CONTENT]), 'a.pdf');
        const { status } = await post(`/v1/submerchants/${id}/documents`, time % 2 === 0 ? form : JSON_BODY);
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
      await storm([...Array(16).keys()], volume({ usual: 1, proof: 2 }) * texts.length, async (_, time) => {
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
