import type Joi from 'joi';
import { CONSISTENCY_TOKEN } from '../read-store/consistency.ts';
import {
  type Components,
  isExplicitlyOptional,
  type JsonSchema,
  toJsonSchema,
  toParameters,
} from './json-schema.ts';
import { type Access, CONSISTENCY_HEADER, type Route } from './route.ts';
import { errorBody } from './schemas.ts';

type Part = Readonly<Record<string, unknown>>;

export type OpenApiInfo = { readonly title: string; readonly version: string; readonly description: string };

/** The conventions that hold for every route. */
export const PORTICO_INFO: OpenApiInfo = {
  title: 'Portico',
  version: '1.0.0',
  description: [
    'A payment gateway: charges by card, Pix, voucher, bank transfer, QR code and device wallet, refunds, webhooks, statements, a marketplace with splits and payouts, chargeback alerts and finance reports.',
    '**Amounts** are decimal numbers in the currency named beside them, except payouts: integers in cents. An amount with more decimals than its currency has is refused.',
    '**Bodies** are JSON in UTF-8, at most 256 KiB unless the route says otherwise. Nothing is coerced (`"10"` is not 10) and unknown fields and query parameters are refused with 400; so are a name that an object has twice and a number that a 64-bit float does not keep exactly, such as `1.999999999999999999`.',
    '**Card numbers** belong in the fields of a card. A text, number or name anywhere else that holds one, however written, and a member named like a security code are refused with 400. A body has at most 10,000 values.',
    '**Lists** answer `{data, page, pages, total, size}`. `orderBy` takes fields separated by commas, `-` before one for descending; nulls come last, newest first without it. Dates are an ISO date (that day in UTC) or a date-time, or a range: `createdAt[gte]=2026-01-01`.',
    '**Environment**: a test key (`sk_test_…`) sees test records only, a live key (`sk_live_…`) live records only. The base address is the same.',
    '**Consistency**: lists and reports are read from a view that follows by a moment. A command answers `X-Consistency-Token`; a list request that sends it back waits until it shows that command (2 seconds at most, then 503). `latest` waits for everything recorded before.',
    '**Errors** have `statusCode` and `message`, `code` where programs have to tell cases apart, and `errors` for each fault of a request. What belongs to somebody else is answered as if it did not exist (404). Every answer carries `X-Request-Id`.',
    '**Retries**: there is no `Idempotency-Key`. After a time-out read the charge first, and do not send again what is there already.',
  ].join('\n\n'),
};

/**
 * The OpenAPI 3.1 document of the routes, from the schemas that validate their requests. Throws where two routes
 * are the same, or two different schemas have the same label.
 */
export const createOpenApi = (routes: readonly Route[], info: OpenApiInfo = PORTICO_INFO): object => {
  const components: Components = new Map();
  toJsonSchema(errorBody, components);
  const described = routes.filter(({ page }) => !page);
  const paths: Record<string, Record<string, Part>> = {};
  for (const route of described) {
    const operations = paths[route.path] ?? {};
    if (operations[route.method]) throw new Error(`two routes for ${route.method} ${route.path}`);
    paths[route.path] = { ...operations, [route.method]: operationOf(route, components) };
  }
  const tags = [...new Set(described.map((route) => route.tag))].sort().map((name) => ({ name }));
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: '/' }],
    tags,
    paths,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      headers: HEADERS,
      responses: Object.fromEntries(ERRORS.map((error) => [error.name, errorResponse(error)])),
      schemas: Object.fromEntries([...components].sort(([left], [right]) => (left < right ? -1 : 1))),
    },
  };
};

const SECURITY_SCHEMES: Part = {
  basic: {
    type: 'http',
    scheme: 'basic',
    description: 'User name: a secret key (`sk_…`); empty password. As a bearer token the key counts alike.',
  },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'A token of `POST /v1/auth/login`, valid for one hour; or, where Basic is possible, a secret key (`sk_…`).',
  },
};

const HEADERS: Part = {
  'X-Request-Id': {
    description: 'Names this request in the logs of the gateway.',
    required: true,
    schema: { type: 'string', format: 'uuid' },
  },
  'X-Consistency-Token': {
    description: 'Stands for what this command recorded; a list that gets it waits until it shows that.',
    schema: { type: 'string' },
  },
  'Retry-After': {
    description: 'Seconds after which to try again.',
    required: true,
    schema: { type: 'string', pattern: '^\\d+$' },
  },
  'WWW-Authenticate': {
    description: 'The schemes that authenticate.',
    schema: { type: 'string' },
  },
};

const headerReferences = (names: readonly string[]): Part =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

type ErrorResponse = {
  readonly status: number;
  readonly name: string;
  readonly description: string;
  readonly headers?: readonly string[];
};

const ERRORS: readonly ErrorResponse[] = [
  {
    status: 400,
    name: 'BadRequest',
    description: 'The request has the wrong shape; `errors` names each fault.',
  },
  {
    status: 401,
    name: 'Unauthorized',
    description:
      'The `code` says why: `CREDENTIALS_MISSING`; `CREDENTIALS_MALFORMED` (no header that the route can read); `CREDENTIALS_INVALID` (unknown, wrong or revoked); `TOKEN_EXPIRED` (log in again).',
    headers: ['WWW-Authenticate'],
  },
  {
    status: 403,
    name: 'Forbidden',
    description:
      'The `code` says why: `PERMISSION_MISSING` (`permission` names it); `MERCHANTS_ONLY` or `OPERATORS_ONLY` (a route for others); `SECRET_KEY_REQUIRED` (a public key is not enough); `PASSWORD_CHANGE_REQUIRED` (a one-time password, good for `POST /v1/auth/password` only); `SECOND_FACTOR_SETUP_REQUIRED` (good for setting one up only); `TEST_ENVIRONMENT_ONLY` (a test helper for live records); `MERCHANT_NOT_VISIBLE` (a `merchantId` of somebody else); `OWNER_ONLY` (to be changed by the sub-merchant that it belongs to); `TLS_REQUIRED` (the request came without TLS); or one that the description names.',
  },
  { status: 404, name: 'NotFound', description: 'It does not exist, or belongs to somebody else.' },
  { status: 408, name: 'RequestTimeout', description: 'The body came too slowly; the connection ends.' },
  { status: 413, name: 'ContentTooLarge', description: 'The body is too large.' },
  {
    status: 415,
    name: 'UnsupportedMediaType',
    description: 'The body is not of a type that the route takes.',
  },
  { status: 409, name: 'Conflict', description: 'It has changed since; `code` says what.' },
  { status: 422, name: 'Unprocessable', description: 'A precondition on state fails; `code` says which.' },
  { status: 429, name: 'TooManyRequests', description: 'Too many requests.', headers: ['Retry-After'] },
  { status: 500, name: 'InternalServerError', description: 'A fault of the gateway.' },
  {
    status: 503,
    name: 'ServiceUnavailable',
    description: 'A store that the request needs does not answer, or a view is not up to date yet.',
    headers: ['Retry-After'],
  },
];

const errorResponse = ({ description, headers = [] }: ErrorResponse): Part => ({
  description,
  headers: headerReferences(['X-Request-Id', ...headers]),
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
});

const WITH_BODY = ['post', 'put', 'patch'];

const operationOf = (route: Route, components: Components): Part => {
  const parameters = parametersOf(route, components);
  return {
    operationId: operationIdOf(route),
    tags: [route.tag],
    summary: route.summary,
    description: [route.description, permissionOf(route.access)].filter(Boolean).join('\n\n'),
    security: securityOf(route.access),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.body ? { requestBody: requestBodyOf(route, route.body, components) } : {}),
    responses: { ...successesOf(route, components), ...errorsOf(route) },
  };
};

/** From method and path, so that it stays as long as they do: `getChargesById`. */
const operationIdOf = ({ method, path }: Route): string =>
  method +
  path
    .split('/')
    .filter((segment) => segment !== '' && segment !== 'v1')
    .map((segment) => (segment.startsWith('{') ? `By-${segment.slice(1, -1)}` : segment))
    .flatMap((segment) => segment.split(/[^A-Za-z0-9]+/))
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

const ANY = 'any';

const permissionOf = (access: Access | null): string => {
  if (access === null) return 'Needs no credentials.';
  const callers = [
    ...(access.merchant === undefined
      ? []
      : [access.merchant === ANY ? 'any merchant' : `a merchant with permission \`${access.merchant}\``]),
    ...(access.operator === undefined
      ? []
      : [
          access.operator === ANY
            ? 'any operator'
            : `an operator with permission ${[access.operator]
                .flat()
                .map((permission) => `\`${permission}\``)
                .join(' or ')}`,
        ]),
  ];
  return `For ${callers.join(', or ')}.${access.publicKey ? ' A public key (`pk_…`) is enough.' : ''}`;
};

/** Operators are users, so a route that is not for merchants takes a bearer token only. */
const securityOf = (access: Access | null): readonly Part[] => {
  if (access === null) return [];
  const schemes = access.schemes ?? (access.merchant === undefined ? ['bearer'] : ['basic', 'bearer']);
  return schemes.map((scheme) => ({ [scheme]: [] }));
};

const parametersOf = (route: Route, components: Components): readonly Part[] => [
  ...[...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    ...describedBy(route.params?.[name]),
    required: true,
    schema: { type: 'string' },
  })),
  ...(route.query ? toParameters(route.query, components) : []).map(({ name, required, schema }) => {
    const { description, ...rest } = schema;
    return {
      name,
      in: 'query',
      ...describedBy(description),
      ...(required ? { required } : {}),
      schema: rest,
    };
  }),
  ...(route.consistent
    ? [
        {
          name: headerName(CONSISTENCY_HEADER),
          in: 'header',
          description: 'The token of an earlier answer, or `latest`: waits until the view shows that much.',
          schema: { type: 'string', pattern: CONSISTENCY_TOKEN.source, examples: ['latest'] },
        },
      ]
    : []),
];

const describedBy = (description: unknown): Part => (description === undefined ? {} : { description });

const headerName = (name: string): string => name.replaceAll(/(^|-)[a-z]/g, (start) => start.toUpperCase());

const requestBodyOf = (route: Route, body: Joi.Schema, components: Components): Part => ({
  required: !isExplicitlyOptional(body),
  content: {
    'application/json': { schema: toJsonSchema(body, components) },
    ...Object.fromEntries(
      Object.entries(route.otherBodyTypes ?? {}).map(([type, schema]) => [
        type,
        { schema: toJsonSchema(schema, components), ...encodingOf(schema) },
      ]),
    ),
  },
});

/** The types that the files of a form may have: the tags of their schemas. */
const encodingOf = (form: Joi.ObjectSchema): Part => {
  const { keys = {} } = form.describe() as { keys?: Record<string, { tags?: readonly string[] }> };
  const encoding = Object.entries(keys)
    .filter(([, { tags }]) => tags !== undefined)
    .map(([name, { tags = [] }]) => [name, { contentType: tags.join(', ') }]);
  return encoding.length === 0 ? {} : { encoding: Object.fromEntries(encoding) };
};

/** Answers of other types than JSON are bytes or text as far as this document is concerned. */
const contentOf = (schema: JsonSchema | null, otherTypes: readonly string[] = []): Part => ({
  ...(schema ? { 'application/json': { schema } } : {}),
  ...Object.fromEntries(otherTypes.map((type) => [type, {}])),
});

const successesOf = (route: Route, components: Components): Part =>
  Object.fromEntries(
    Object.entries(route.responses).map(([status, { description, schema, headers = {}, otherTypes }]) => {
      const content = contentOf(schema ? toJsonSchema(schema, components) : null, otherTypes);
      return [
        status,
        {
          description,
          headers: {
            ...headerReferences(['X-Request-Id', ...(route.method === 'get' ? [] : ['X-Consistency-Token'])]),
            ...Object.fromEntries(
              Object.entries(headers).map(([name, text]) => [
                name,
                { description: text, schema: { type: 'string' } },
              ]),
            ),
          },
          ...(Object.keys(content).length > 0 ? { content } : {}),
        },
      ];
    }),
  );

/** What the pipeline answers on this route, and what the route itself declares. */
const errorsOf = (route: Route): Part => {
  const declared: readonly number[] = route.errors ?? [];
  const statuses = [
    400,
    403,
    500,
    503,
    ...(route.access ? [401, 429] : []),
    ...(route.path.includes('{') ? [404] : []),
    ...(WITH_BODY.includes(route.method) || route.body ? [408, 413, 415] : []),
    ...declared,
  ];
  return Object.fromEntries(
    ERRORS.filter(({ status }) => statuses.includes(status)).map(({ status, name }) => [
      status,
      { $ref: `#/components/responses/${name}` },
    ]),
  );
};
