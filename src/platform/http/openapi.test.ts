import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import Joi from 'joi';
import { refusal } from '../../kernel/errors.ts';
import { createOpenApi } from './openapi.ts';
import { type Route, route } from './route.ts';
import { dateTime, pageOf, resourceId } from './schemas.ts';

const charge = Joi.object({
  id: resourceId('chg').required(),
  paidAt: dateTime().allow(null).required(),
}).label('Charge');
const nothing = async () => ({ status: 200 });

const createCharge = route({
  method: 'post',
  operationId: 'createCharge',
  path: '/v1/charges',
  summary: 'Create a charge',
  description: 'Asks the provider.',
  tag: 'Charges',
  access: { merchant: 'charges.create' },
  body: Joi.object({ amount: Joi.number().required() }).label('ChargeRequest'),
  responses: {
    201: {
      description: 'The charge.',
      schema: charge,
      headers: { 'X-Possible-Duplicate-Of': 'Looks the same.' },
    },
  },
  refusals: [refusal('TOO_LATE', 'It is too late')],
  handle: nothing,
});
const listCharges = route({
  method: 'get',
  operationId: 'listCharges',
  path: '/v1/charges',
  summary: 'List charges',
  tag: 'Charges',
  access: { merchant: 'charges.read', operator: 'admin.charges.read' },
  query: Joi.object({ page: Joi.number().default(1).description('From 1.'), 'createdAt[gte]': Joi.string() }),
  consistent: true,
  responses: { 200: { description: 'A page.', schema: pageOf(charge), otherTypes: ['text/csv'] } },
  handle: nothing,
});
const resolveRequest = route({
  method: 'post',
  operationId: 'resolveManualRefundRequest',
  path: '/v1/admin/manual-refund-requests/{id}/resolve',
  params: { id: 'Id of the request.' },
  summary: 'Resolve',
  tag: 'Administration',
  access: { operator: 'admin.manual_refund_requests.update' },
  body: Joi.object({ notes: Joi.string() }).optional(),
  responses: { 204: { description: 'Done.' } },
  handle: nothing,
});
const login = route({
  method: 'post',
  operationId: 'login',
  path: '/v1/auth/login',
  summary: 'Log in',
  tag: 'Authentication',
  access: null,
  body: Joi.object({ email: Joi.string().required() }),
  responses: { 200: { description: 'A token.', schema: Joi.object({ accessToken: Joi.string() }) } },
  errors: [401, 429],
  handle: nothing,
});
const ROUTES = [createCharge, listCharges, resolveRequest, login];

type Operation = {
  readonly operationId: string;
  readonly description: string;
  readonly security: readonly object[];
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly required: boolean };
  readonly responses: Readonly<Record<string, Record<string, unknown>>>;
};
type Document = {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly responses: Readonly<Record<string, object>>;
  };
};

const documentOf = (routes: readonly Route[]): Document => createOpenApi(routes) as Document;

const operation = (method: string, path: string): Operation => {
  const found = documentOf(ROUTES).paths[path]?.[method];
  if (!found) throw new Error(`no ${method} ${path}`);
  return found;
};

describe('createOpenApi', () => {
  it('describes version 1.0.0 of Portico in OpenAPI 3.1', () => {
    const { openapi, info } = documentOf(ROUTES);
    expect(openapi).toBe('3.1.0');
    expect(info).toMatchObject({ title: 'Portico', version: '1.0.0' });
  });

  it('is the same document for the same routes', () => {
    expect(JSON.stringify(createOpenApi(ROUTES))).toBe(JSON.stringify(createOpenApi(ROUTES)));
  });

  it('refers to nothing that it does not contain', () => {
    const document = documentOf(ROUTES);
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
      ([, pointer = '']) => pointer,
    );
    expect(references.length).toBeGreaterThan(10);
    for (const pointer of references) {
      const target = pointer
        .split('/')
        .reduce<unknown>((at, key) => (at as Record<string, unknown>)?.[key], document);
      expect([pointer, typeof target]).toEqual([pointer, 'object']);
    }
  });

  it('has schemas that compile', () => {
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    ajv.addSchema(documentOf(ROUTES), 'openapi');
    for (const name of Object.keys(documentOf(ROUTES).components.schemas))
      expect(ajv.compile({ $ref: `openapi#/components/schemas/${name}` })(null)).toBe(false);
  });

  it('names operations as their routes do', () => {
    expect(operation('post', '/v1/charges').operationId).toBe('createCharge');
  });

  it('names bodies after their schema, or else after their operation', () => {
    const { schemas } = documentOf(ROUTES).components;
    expect(Object.keys(schemas)).toEqual([
      'Charge',
      'ChargeRequest',
      'Error',
      'ErrorCode',
      'ListChargesAnswer',
      'LoginAnswer',
      'LoginRequest',
      'Problem',
      'ResolveManualRefundRequestRequest',
    ]);
  });

  it('says who may call and with which credentials', () => {
    const created = operation('post', '/v1/charges');
    expect(created.description).toBe(
      'Asks the provider.\n\nFor a merchant with permission `charges.create`.',
    );
    expect(created.security).toEqual([{ basic: [] }, { bearer: [] }]);
    const resolved = operation('post', '/v1/admin/manual-refund-requests/{id}/resolve');
    expect(resolved.description).toContain(
      'an operator with permission `admin.manual_refund_requests.update`',
    );
    expect(resolved.security).toEqual([{ bearer: [] }]);
    expect(operation('post', '/v1/auth/login').security).toEqual([]);
  });

  it('leads from a created resource to what can be done with it', () => {
    const id = '$response.body#/id';
    const noted = route({
      ...resolveRequest,
      method: 'post',
      operationId: 'noteCharge',
      path: '/v1/charges/{id}/notes',
      responses: { 201: { description: 'The note.', schema: Joi.object({ id: resourceId('doc') }) } },
    });
    const readNote = route({
      ...resolveRequest,
      operationId: 'readNote',
      path: '/v1/charges/{id}/notes/{noteId}',
    });
    const copy = route({
      ...resolveRequest,
      method: 'post',
      operationId: 'copyNote',
      path: '/v1/charges/{id}/notes/{noteId}/copy',
      createdBelow: '/v1/charges/{id}/notes',
      responses: { 201: { description: 'The copy.', schema: Joi.object({ id: resourceId('doc') }) } },
    });
    const refund = route({
      ...createCharge,
      operationId: 'refundCharge',
      path: '/v1/refunds',
      body: Joi.object({ chargeId: Joi.string() }),
    });
    const { paths } = createOpenApi([createCharge, listCharges, noted, readNote, copy, refund]) as {
      paths: Record<string, { post: { responses: Record<string, { links?: object }> } }>;
    };
    expect(paths['/v1/charges']?.post.responses[201]?.links).toEqual({
      noteCharge: { operationId: 'noteCharge', description: 'Resolve.', parameters: { id } },
      refundCharge: {
        operationId: 'refundCharge',
        description: 'Create a charge.',
        requestBody: { chargeId: id },
      },
    });
    const ofNote = expect.objectContaining({ parameters: { id: '$request.path.id', noteId: id } });
    for (const path of ['/v1/charges/{id}/notes', '/v1/charges/{id}/notes/{noteId}/copy'])
      expect(paths[path]?.post.responses[201]?.links).toEqual({ readNote: ofNote, copyNote: ofNote });
    expect(paths['/v1/refunds']?.post.responses[201]).not.toHaveProperty('links');
  });

  it('has parameters for path, query and consistency', () => {
    expect(operation('get', '/v1/charges').parameters).toEqual([
      { name: 'page', in: 'query', description: 'From 1.', schema: { type: 'number', default: 1 } },
      { name: 'createdAt[gte]', in: 'query', schema: { type: 'string', minLength: 1 } },
      {
        name: 'X-Consistency-Token',
        in: 'header',
        description: expect.any(String),
        schema: { type: 'string', pattern: expect.stringMatching(/^\^\(latest\|/), examples: ['latest'] },
      },
      {
        name: 'Prefer',
        in: 'header',
        description: expect.any(String),
        schema: { type: 'string', examples: ['consistency=latest'] },
      },
    ]);
    expect(operation('post', '/v1/admin/manual-refund-requests/{id}/resolve').parameters).toEqual([
      {
        name: 'id',
        in: 'path',
        description: 'Id of the request.',
        required: true,
        schema: { type: 'string' },
      },
    ]);
  });

  it('says whether a body may be left out', () => {
    expect(operation('post', '/v1/charges').requestBody?.required).toBe(true);
    expect(operation('post', '/v1/admin/manual-refund-requests/{id}/resolve').requestBody?.required).toBe(
      false,
    );
  });

  it('describes successes with their headers and types', () => {
    expect(operation('post', '/v1/charges').responses[201]).toMatchObject({
      headers: {
        'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
        'X-Consistency-Token': { $ref: '#/components/headers/X-Consistency-Token' },
        'X-Possible-Duplicate-Of': { description: 'Looks the same.' },
      },
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Charge' } } },
    });
    const listed = operation('get', '/v1/charges').responses[200];
    expect(Object.keys(listed?.content ?? {})).toEqual(['application/json', 'text/csv']);
    expect(
      operation('post', '/v1/admin/manual-refund-requests/{id}/resolve').responses[204],
    ).not.toHaveProperty('content');
  });

  it('describes every error that a route can answer', () => {
    const statuses = (method: string, path: string) =>
      Object.keys(operation(method, path).responses).join(' ');
    expect(statuses('post', '/v1/charges')).toBe('201 400 401 403 408 413 415 422 429 431 500 503');
    expect(statuses('get', '/v1/charges')).toBe('200 400 401 403 408 429 431 500 503');
    expect(statuses('post', '/v1/admin/manual-refund-requests/{id}/resolve')).toBe(
      '204 400 401 403 404 408 413 415 429 431 500 503',
    );
    expect(statuses('post', '/v1/auth/login')).toBe('200 400 401 403 408 413 415 429 431 500 503');
  });

  it('refuses a tag without a group', () => {
    const tagGroups = [{ name: 'Payments', tags: { Charges: 'Payments.' } }];
    expect(() => createOpenApi([createCharge], { tagGroups })).not.toThrow();
    expect(() => createOpenApi([login], { tagGroups })).toThrow('tags without a group: Authentication');
  });

  it('refuses two routes of one name', () => {
    const again = { ...createCharge, path: '/v1/charges/again' };
    expect(() => createOpenApi([createCharge, again])).toThrow('two routes are called createCharge');
  });

  it('refuses two routes for one method and path', () => {
    expect(() => createOpenApi([createCharge, createCharge])).toThrow('two routes for post /v1/charges');
  });
});
