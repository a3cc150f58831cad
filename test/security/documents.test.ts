import { randomBytes } from 'node:crypto';
import { type ClientRequest, request } from 'node:http';
import { ObjectId } from 'mongodb';
import type { Test } from 'supertest';
import { startClamd } from '../support/clamd.ts';
import { type Client, operator, pollUntil, withKey } from '../support/client.ts';
import { type TestGateway, useGateway } from '../support/gateway.ts';

const MIB = 1024 * 1024;
const PDF = Buffer.from('%PDF-1.7 papers');
const EICAR = Buffer.concat([PDF, Buffer.from('EICAR')]);
const largePdf = (bytes = 10 * MIB): Buffer => {
  const content = randomBytes(bytes);
  PDF.copy(content);
  return content;
};

/** A sub-merchant of a new master, with the master's key. */
const aSubmerchant = async (gateway: () => TestGateway): Promise<{ id: string; key: Client }> => {
  const key = withKey(gateway, (await gateway().createMaster()).testKey);
  const fields = { legalName: 'Filial', email: 'filial@example.test' };
  return { id: (await key.post('/v1/submerchants', fields).expect(201)).body.id, key };
};
const upload = ({ id, key }: { id: string; key: Client }, content: Buffer, filename = 'a.pdf'): Test =>
  key
    .call('post', `/v1/submerchants/${id}/documents`)
    .field('type', 'identity')
    .attach('file', content, { filename });
const uploadJson = ({ id, key }: { id: string; key: Client }, content: Buffer): Test =>
  key.post(`/v1/submerchants/${id}/documents`, {
    type: 'identity',
    fileName: 'a.pdf',
    content: content.toString('base64'),
  });

describe('uploads at once', () => {
  const gateway = useGateway();
  const files = (): Promise<number> => gateway().db.collection('submerchant_files.files').countDocuments();

  it('of 20 documents and one more leave 20, whichever came first, and no file of the others', async () => {
    const submerchant = await aSubmerchant(gateway);
    const before = await files();
    const answers = await Promise.all(Array.from({ length: 25 }, () => upload(submerchant, PDF)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    for (const { status, body } of answers.filter(({ status }) => status !== 201))
      expect([status, body.code]).toEqual([422, 'DOCUMENT_LIMIT_REACHED']);
    expect(await files()).toBe(before + 20);
    await upload(submerchant, PDF).expect(422);
  });

  it('of 60 MiB leave 50, in both forms', async () => {
    const submerchant = await aSubmerchant(gateway);
    const content = largePdf();
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) => (index % 2 ? upload : uploadJson)(submerchant, content)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 201, 422]);
  });

  it('are not taken for a blocked sub-merchant', async () => {
    const submerchant = await aSubmerchant(gateway);
    const status = `/v1/admin/submerchants/${submerchant.id}/status`;
    const admin = await operator(gateway);
    await admin.post(status, { status: 'active' }).expect(200);
    await admin.post(status, { status: 'blocked', reason: 'fraud' }).expect(200);
    const before = await files();
    expect((await upload(submerchant, PDF).expect(422)).body.code).toBe('MERCHANT_NOT_ACTIVE');
    expect(await files()).toBe(before);
  });
});

describe('uploads that do not end', () => {
  const gateway = useGateway();
  const AT_ONCE = 4;
  const WAITING = 28;
  /** Large enough for pieces of it to be stored before its end. */
  const LARGE: Buffer = largePdf(3 * MIB);
  const stored = (): Promise<number> => gateway().db.collection('submerchant_files.chunks').countDocuments();
  const open: ClientRequest[] = [];
  afterEach(() => {
    for (const request of open.splice(0)) request.destroy();
  });

  /** An upload that keeps its last byte back. */
  const begin = (id: string, secretKey: string, content: Buffer = PDF) => {
    const file = { fileName: 'a.pdf', content: content.toString('base64') };
    const body = JSON.stringify({ type: 'identity', ...file });
    const upload = request(`${gateway().url}/v1/submerchants/${id}/documents`, {
      method: 'POST',
      auth: `${secretKey}:`,
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
    });
    upload.on('error', () => undefined);
    open.push(upload);
    upload.write(body.slice(0, -1));
    const answer: { status?: number; retryAfter?: string | undefined } = {};
    upload.on('response', (response) => {
      response.resume();
      answer.status = response.statusCode ?? 0;
      answer.retryAfter = response.headers['retry-after'];
    });
    return { answer, end: () => upload.end('}') };
  };

  it('are four; a fifth waits for one of them, one too many hears it at once, and others are served', async () => {
    const { testKey } = await gateway().createMaster();
    const key = withKey(gateway, testKey);
    const fields = { legalName: 'Filial', email: 'filial@example.test' };
    const { id } = (await key.post('/v1/submerchants', fields).expect(201)).body;
    const before = await stored();
    const first = Array.from({ length: AT_ONCE }, () => begin(id, testKey, LARGE));
    await pollUntil(stored, (count) => count >= before + 2 * AT_ONCE);

    const fifth = begin(id, testKey);
    fifth.end();
    // Enough for a body that is whole, were there a place; meanwhile others are served.
    for (let calls = 0; calls < 4; calls += 1) {
      await key.get('/v1/charges').expect(200);
      await key.post('/v1/submerchants', fields).expect(201);
    }
    expect(fifth.answer.status).toBeUndefined();

    const waiting = Array.from({ length: WAITING - 1 + 5 }, () => begin(id, testKey));
    const refused = () => waiting.filter(({ answer }) => answer.status !== undefined);
    await pollUntil(
      async () => refused().length,
      (count) => count >= 5,
    );
    await key.get('/v1/charges').expect(200);
    expect(refused().map(({ answer }) => answer.status)).toEqual(Array(5).fill(503));
    for (const { answer } of refused()) expect(answer.retryAfter).toMatch(/^\d+$/);

    first[0]?.end();
    const statusOf = ({ answer }: typeof fifth) =>
      pollUntil(
        async () => answer.status,
        (status) => status !== undefined,
      );
    expect(await statusOf(fifth)).toBe(201);
    for (const upload of [...first.slice(1), ...waiting]) upload.end();
    expect(await statusOf(first[1] as typeof fifth)).toBe(201);
  });
});

describe('a document with a name that lies', () => {
  const gateway = useGateway();

  it('is downloaded under the extension of its content, without invisible characters', async () => {
    const submerchant = await aSubmerchant(gateway);
    const page = Buffer.from('%PDF-1.7<script>alert(1)</script>');
    const { body } = await upload(submerchant, page, 'evil.html').expect(201);
    expect(body.fileName).toBe('evil.pdf');
    const { body: hidden } = await upload(submerchant, page, 'invoice\u202efdp.exe').expect(201);
    expect(hidden.fileName).toBe('invoicefdp.pdf');
    const admin = await operator(gateway);
    const { headers } = await admin
      .get(`/v1/admin/submerchants/${submerchant.id}/documents/${body.id}`)
      .expect(200);
    expect(headers['content-disposition']).toContain('filename="evil.pdf"');
    expect(headers['content-type']).toBe('application/pdf');
  });
});

describe('a document that was changed in the store', () => {
  const gateway = useGateway();

  it('is not sent, not even in part', async () => {
    const submerchant = await aSubmerchant(gateway);
    const { body } = await upload(submerchant, largePdf(3 * MIB)).expect(201);
    const chunks = gateway().db.collection('submerchant_files.chunks');
    const { data: binary, _id } = (await chunks.findOne({ n: 2 })) ?? { data: null, _id: new ObjectId() };
    const data = Buffer.from(binary.buffer);
    data[5] = (data[5] ?? 0) ^ 1;
    await chunks.updateOne({ _id }, { $set: { data } });
    const admin = await operator(gateway);
    await admin.get(`/v1/admin/submerchants/${submerchant.id}/documents/${body.id}`).expect(500);
  });
});

describe('with a virus scanner', () => {
  let clamd: Awaited<ReturnType<typeof startClamd>>;
  const variables: { CLAMD_URL?: string } = {};
  beforeAll(async () => {
    clamd = await startClamd();
    variables.CLAMD_URL = clamd.url;
  });
  afterAll(() => clamd.stop());
  const gateway = useGateway(variables as Record<string, string>);

  it('a document can be read once it is clean, and never with malware', async () => {
    const submerchant = await aSubmerchant(gateway);
    const admin = await operator(gateway);
    const download = (id: string) => admin.get(`/v1/admin/submerchants/${submerchant.id}/documents/${id}`);
    const scanned = async (content: Buffer): Promise<string> => {
      const { body } = await upload(submerchant, content).expect(201);
      const answer = await pollUntil(
        async () => download(body.id),
        ({ body: refusal }) => refusal.code !== 'DOCUMENT_NOT_SCANNED',
      );
      return answer.body.code ?? answer.status;
    };
    expect(await scanned(PDF)).toBe(200);
    expect(await scanned(EICAR)).toBe('DOCUMENT_INFECTED');
    expect(clamd.scanned).toContainEqual(PDF);
    const { body } = await submerchant.key.getAfter(
      'latest',
      `/v1/submerchants/${submerchant.id}/documents?orderBy=createdAt`,
    );
    expect(body.data.map(({ scanStatus }: { scanStatus: string }) => scanStatus)).toEqual([
      'clean',
      'infected',
    ]);
  });

  it('no document can be read while the scanner is away', async () => {
    await clamd.stop();
    const submerchant = await aSubmerchant(gateway);
    const { body } = await upload(submerchant, PDF).expect(201);
    const admin = await operator(gateway);
    const { body: refusal } = await admin
      .get(`/v1/admin/submerchants/${submerchant.id}/documents/${body.id}`)
      .expect(422);
    expect(refusal.code).toBe('DOCUMENT_NOT_SCANNED');
  });
});
