import type { Method } from '../support/call.ts';
import { useGateway } from '../support/gateway.ts';
import { compileSchemas, createResponseCheck, type OpenApiDocument } from '../support/openapi-check.ts';

const gateway = useGateway();

type Operation = {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly responses: Readonly<Record<string, unknown>>;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema; readonly encoding?: object }>>;
  };
};
type Schema = {
  readonly $ref?: string;
  readonly examples?: readonly object[];
  readonly properties?: Readonly<Record<string, object>>;
};

type Answer = {
  readonly content: {
    readonly 'application/json': {
      readonly examples: Readonly<
        Record<'CREDENTIALS_MISSING', { readonly value: Readonly<Record<string, unknown>> }>
      >;
    };
  };
};
const documentOf = async (): Promise<OpenApiDocument> =>
  (await gateway().call('get', '/v1/openapi.json').expect(200)).body;

const operationsOf = (document: OpenApiDocument) =>
  Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      name: `${method} ${path}`,
      method: method as Method,
      path,
      operation: operation as unknown as Operation,
    })),
  );

const resolved = (document: OpenApiDocument, schema: Schema | undefined): Schema | undefined =>
  schema?.$ref === undefined
    ? schema
    : (document.components.schemas?.[schema.$ref.replace('#/components/schemas/', '')] as Schema);

describe('the OpenAPI document', () => {
  it('is version 1.0.0 of an interface that lies under /v1', async () => {
    const document = await documentOf();
    expect(document).toMatchObject({ openapi: '3.1.0', info: { title: 'Portico', version: '1.0.0' } });
    for (const path of Object.keys(document.paths))
      expect(path).toMatch(/^\/v1(\/([a-z0-9-]+|\{[A-Za-z]+\}))+$/);
  });

  it('has JSON schemas only that compile', async () => {
    expect(compileSchemas(await documentOf())).toBeGreaterThan(20);
  });

  it('refers to nothing that it does not contain', async () => {
    const document = await documentOf();
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
      ([, at = '']) => at,
    );
    for (const at of new Set(references)) {
      const target = at
        .split('/')
        .reduce<unknown>((node, key) => (node as Record<string, unknown>)?.[key], document);
      expect([at, typeof target]).toEqual([at, 'object']);
    }
  });

  it('names each operation once, with a summary, a tag, its credentials and its parameters', async () => {
    const operations = operationsOf(await documentOf());
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length);
    for (const { name, path, operation } of operations) {
      expect([name, operation.summary !== '', operation.tags.length]).toEqual([name, true, 1]);
      expect([name, Array.isArray(operation.security)]).toEqual([name, true]);
      const named = (operation.parameters ?? [])
        .filter((one) => one.in === 'path')
        .map((one) => `{${one.name}}`);
      expect([name, named]).toEqual([name, [...path.matchAll(/\{\w+\}/g)].map(([parameter]) => parameter)]);
    }
  });

  it('says for each operation how it succeeds and how it fails', async () => {
    for (const { name, operation } of operationsOf(await documentOf())) {
      const statuses = Object.keys(operation.responses);
      expect([name, statuses.some((status) => status.startsWith('2'))]).toEqual([name, true]);
      expect([name, statuses]).toEqual([name, expect.arrayContaining(['400', '403', '500', '503'])]);
      if (operation.security.length > 0)
        expect([name, statuses]).toEqual([name, expect.arrayContaining(['401', '429'])]);
    }
  });

  it('describes every field with a type, so that nobody has to guess', async () => {
    const untyped: string[] = [];
    const look = (schema: unknown, at: string): void => {
      if (typeof schema !== 'object' || schema === null) return;
      const { properties } = schema as { properties?: Record<string, object> };
      for (const [name, property] of Object.entries(properties ?? {})) {
        const isFreeForm = name === 'content';
        const says = ['type', 'anyOf', 'allOf', '$ref'].some((keyword) => keyword in property);
        if (!says && !isFreeForm) untyped.push(`${at}.${name}`);
      }
      for (const [key, member] of Object.entries(schema)) look(member, `${at}.${key}`);
    };
    look(await documentOf(), '');
    expect(untyped).toEqual([]);
  });

  it('says of every number in which unit it is', async () => {
    const unsaid: string[] = [];
    const look = (schema: unknown, at: string): void => {
      if (typeof schema !== 'object' || schema === null) return;
      const { properties } = schema as {
        properties?: Record<string, { type?: unknown; description?: string }>;
      };
      for (const [name, { type, description }] of Object.entries(properties ?? {})) {
        const isNumber = [type].flat().some((one) => one === 'number' || one === 'integer');
        if (isNumber && !description) unsaid.push(`${at}.${name}`);
      }
      for (const [key, member] of Object.entries(schema)) look(member, `${at}.${key}`);
    };
    look(await documentOf(), '');
    expect(unsaid).toEqual([]);
  });

  it('says how large a number of a body may be, for the validator takes none beyond 2^53', async () => {
    const document = await documentOf();
    const unlimited: string[] = [];
    const look = (schema: unknown, at: string): void => {
      if (typeof schema !== 'object' || schema === null) return;
      const { type, maximum, enum: values } = schema as { type?: unknown; maximum?: number; enum?: unknown };
      const isNumber = [type].flat().some((one) => one === 'number' || one === 'integer');
      if (isNumber && maximum === undefined && values === undefined) unlimited.push(at);
      const target = resolved(document, schema as Schema);
      if (target !== schema) look(target, at);
      else
        for (const [key, member] of Object.entries(schema))
          if (key !== 'examples') look(member, `${at}.${key}`);
    };
    for (const { name, operation } of operationsOf(document)) look(operation.requestBody?.content, name);
    expect(unlimited).toEqual([]);
  });

  it('has examples of each body, which the gateway takes', async () => {
    const document = await documentOf();
    const { testKey } = await gateway().createMerchant();
    const token = await gateway().operatorToken('test');
    const refused: unknown[] = [];
    let sent = 0;
    for (const { name, method, path, operation } of operationsOf(document)) {
      if (!operation.requestBody) continue;
      const schema = resolved(document, operation.requestBody.content['application/json']?.schema);
      const examples = schema?.examples ?? [];
      if (examples.length === 0) refused.push(`${name} has no example`);
      for (const example of examples) {
        const request = gateway().call(method, path.replaceAll(/\{\w+\}/g, 'nobody'));
        if (operation.security.some((scheme) => 'basic' in scheme)) request.auth(testKey, '');
        else if (operation.security.length > 0) request.auth(token, { type: 'bearer' });
        const answer = await request.send(example);
        // An id in it need not exist, nor what it is about be in the right state.
        if (answer.status === 400) refused.push([name, answer.body]);
        sent += 1;
      }
    }
    expect(refused).toEqual([]);
    expect(sent).toBeGreaterThan(30);
  });

  it('has the answer to a request without credentials as its example of that', async () => {
    const document = await documentOf();
    const { Unauthorized } = document.components.responses as { readonly Unauthorized: Answer };
    const { examples } = Unauthorized.content['application/json'];
    const guarded = operationsOf(document).filter(({ operation }) => operation.security.length > 0);
    expect(guarded.length).toBeGreaterThan(100);
    for (const { method, path } of guarded) {
      const { body } = await gateway()
        .call(method, path.replaceAll(/\{\w+\}/g, 'x'))
        .expect(401);
      expect(body).toEqual(examples.CREDENTIALS_MISSING.value);
    }
  });

  it('names the parts of a form', async () => {
    const document = await documentOf();
    const upload = document.paths['/v1/submerchants/{id}/documents']?.post as unknown as Operation;
    const form = upload.requestBody?.content['multipart/form-data'];
    expect(form?.encoding).toEqual({ file: { contentType: 'application/pdf, image/png, image/jpeg' } });
    expect(resolved(document, form?.schema)?.properties).toMatchObject({
      type: { type: 'string', enum: expect.arrayContaining(['identity']) },
      file: { type: 'string', format: 'binary' },
    });
  });

  it('has a page to read it', async () => {
    await gateway().call('get', '/docs').expect(200).expect('Content-Type', /html/);
  });
});

describe('the check of answers', () => {
  const headers = { 'x-request-id': '1', 'content-type': 'application/json' };
  const notFound = { statusCode: 404, message: 'Charge not found', code: 'NOT_FOUND' };

  it('passes what is described', async () => {
    const check = createResponseCheck(await documentOf());
    check('get', '/v1/charges/1?x=1', { status: 404, headers, body: notFound });
    check('put', '/v1/charges/1', {
      status: 405,
      headers,
      body: { statusCode: 405, message: 'Method not allowed' },
    });
    check('get', '/health/live', { status: 200, headers, body: {} });
  });

  it.each([
    ['has no X-Request-Id', 404, {}, notFound],
    ['the OpenAPI document does not describe', 418, headers, notFound],
    ['has no Retry-After', 503, headers, notFound],
    ["is of type 'text/plain'", 404, { ...headers, 'content-type': 'text/plain' }, notFound],
    ['must NOT have additional properties: stack', 404, headers, { ...notFound, stack: '' }],
    ["must have required property 'message'", 404, headers, { statusCode: 404 }],
    ['must have required property', 200, headers, { id: 'chg_1' }],
  ])('complains about an answer that %s', async (complaint, status, given, body) => {
    const check = createResponseCheck(await documentOf());
    expect(() => check('get', '/v1/charges/1', { status, headers: given, body })).toThrow(complaint);
  });
});
