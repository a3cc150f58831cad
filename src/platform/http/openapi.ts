import type Joi from 'joi';
import { CREDENTIALS_FAULTS, GENERAL_FAULTS, type Refusal } from '../../kernel/errors.ts';
import { isForPeople } from '../../kernel/principal.ts';
import { CONSISTENCY_TOKEN } from '../read-store/consistency.ts';
import { lacksCsv, NO_CSV } from './csv.ts';
import {
  type Components,
  isExplicitlyOptional,
  type JsonSchema,
  toJsonSchema,
  toParameters,
} from './json-schema.ts';
import {
  answerExample,
  type Examples,
  errorExamples,
  NO_EXAMPLES,
  parameterExample,
  requestExample,
  webhookExample,
} from './openapi-examples.ts';
import { linksFrom } from './openapi-links.ts';
import { type SampleCall, samplesOf } from './openapi-samples.ts';
import { COMMON_REFUSALS } from './refusals.ts';
import { type Access, CONSISTENCY_HEADER, PROBLEM, type Route } from './route.ts';
import { errorBodyOf, problemOf } from './schemas.ts';

type Part = Readonly<Record<string, unknown>>;

type OpenApiInfo = {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly license: { readonly name: string; readonly identifier: string };
  readonly contact: { readonly name: string };
};

/** The conventions that apply to every route. */
const PORTICO_INFO: OpenApiInfo = {
  title: 'Portico',
  // The version of the interface. The package has a version of its own, which changes independently.
  version: '1.0.0',
  license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
  contact: { name: 'The operator of this gateway' },
  description: [
    'A payment gateway. It takes charges by card, Pix, voucher, bank transfer, QR code and device wallet. It refunds, sends webhooks, keeps statements, and runs marketplaces with splits and payouts. Operators handle chargeback alerts and read finance reports.',
    '**Amounts** are decimal numbers in the currency named beside them. Only payouts have amounts in cents, as integers. An amount with more decimals than its currency has is refused.',
    '**Bodies** are JSON in UTF-8, at most 256 KiB unless the route says otherwise. Nothing is coerced (`"10"` is not 10). Unknown fields and query parameters are refused with 400, and so are repeated names in an object and numbers that a 64-bit float cannot represent exactly. A body has at most 10,000 values.',
    '**Card numbers** belong in the fields of a card. In any other place, values and names that contain a card number are refused with 400, and so are members named like a security code.',
    '**Lists** answer with `{data, page, pages, total, size}`. `orderBy` takes fields separated by commas; `-` before a field sorts descending. Nulls come last. Without `orderBy` the newest come first. A filter by date takes an ISO date (the whole day in `timeZone`, UTC by default), a date-time, or a range: `createdAt[gte]=2026-01-01`.',
    '**Environment**: a test key (`sk_test_…`) sees test records only, a live key (`sk_live_…`) live records only. The base address is the same.',
    '**Consistency**: lists and reports are read from a view that lags behind commands by a moment. The answer to a command has an `X-Consistency-Token`. A request for a list that sends this token waits until the list shows the command (2 seconds at most, then 503). The token `latest` waits for everything recorded before.',
    '**Errors** have `statusCode` and `message`. `code` names the rule that refused the request, and `errors` each fault of a 400. Resources of others are answered as if they did not exist (404). Every answer has an `X-Request-Id`, which is that of the request if it has 1 to 128 of the characters `A-Z a-z 0-9 . _ -`. With `Accept: application/problem+json` errors are problem details (RFC 9457).',
    '**Retries**: there are no idempotency keys, and the answer to a request with `Idempotency-Key` says `X-Idempotency-Key: not-used`. After a time-out, look for the charge by its `reference` before you send it again.',
  ].join('\n\n'),
};

/** A kind of event with the body of its POST. */
export type WebhookBody = {
  readonly name: string;
  readonly description: string;
  readonly body: Joi.ObjectSchema;
};

/** Tags for one audience in reading order, each with its description. */
export type TagGroup = { readonly name: string; readonly tags: Readonly<Record<string, string>> };

type Presentation = {
  readonly webhooks?: readonly WebhookBody[];
  /** Every tag of the routes; without groups, tags are sorted by name. */
  readonly tagGroups?: readonly TagGroup[];
  /** Address of the API; by default relative to the address of the document. */
  readonly serverUrl?: string;
  readonly examples?: Examples;
};

/** Everything that the parts of the document are made from. */
type Making = {
  readonly routes: readonly Route[];
  readonly components: Components;
  readonly examples: Examples;
};

/**
 * The OpenAPI 3.1 document of the routes, made from the schemas that validate their requests. Throws where two routes
 * are the same, two schemas share a label, or a tag is in no group.
 */
export const createOpenApi = (
  routes: readonly Route[],
  { webhooks = [], tagGroups = [], serverUrl = '/', examples = NO_EXAMPLES }: Presentation = {},
): object => {
  const components: Components = new Map();
  const tags = tagsOf(routes, tagGroups);
  const place = new Map(tags.map(({ name }, index) => [name, index]));
  const described = routes
    .filter(({ page }) => !page)
    .toSorted((left, right) => Number(place.get(left.tag)) - Number(place.get(right.tag)));
  // A program may send the form of a page, too, and reads the same codes then.
  const codes = codesOf(routes);
  toJsonSchema(errorBodyOf(codes), components);
  toJsonSchema(problemOf(codes), components);
  const paths: Record<string, Record<string, Part>> = {};
  const names = new Set<string>();
  for (const route of described) {
    const operations = paths[route.path] ?? {};
    if (operations[route.method]) throw new Error(`two routes for ${route.method} ${route.path}`);
    if (names.has(route.operationId)) throw new Error(`two routes are called ${route.operationId}`);
    names.add(route.operationId);
    paths[route.path] = {
      ...operations,
      [route.method]: operationOf(route, { routes: described, components, examples }),
    };
  }
  return {
    openapi: '3.1.0',
    info: PORTICO_INFO,
    servers: [{ url: serverUrl }],
    tags,
    ...(tagGroups.length > 0 ? { 'x-tagGroups': namesOf(tagGroups) } : {}),
    paths,
    ...(webhooks.length > 0 ? { webhooks: webhooksOf(webhooks, { components, examples }) } : {}),
    components: {
      securitySchemes: SECURITY_SCHEMES,
      headers: HEADERS,
      responses: Object.fromEntries(ERRORS.map((error) => [error.name, errorResponse(error, examples)])),
      schemas: Object.fromEntries([...components].sort(([left], [right]) => (left < right ? -1 : 1))),
    },
  };
};

const tagsOf = (
  routes: readonly Route[],
  groups: readonly TagGroup[],
): readonly { readonly name: string; readonly description?: string }[] => {
  const used = [...new Set(routes.filter(({ page }) => !page).map(({ tag }) => tag))].sort();
  if (groups.length === 0) return used.map((name) => ({ name }));
  const tags = groups.flatMap((group) =>
    Object.entries(group.tags).map(([name, description]) => ({ name, description })),
  );
  const missing = used.filter((tag) => !tags.some(({ name }) => name === tag));
  if (missing.length > 0) throw new Error(`tags without a group: ${missing.join(', ')}`);
  return tags;
};

const namesOf = (groups: readonly TagGroup[]) =>
  groups.map(({ name, tags }) => ({ name, tags: Object.keys(tags) }));

const webhooksOf = (
  webhooks: readonly WebhookBody[],
  { components, examples }: Pick<Making, 'components' | 'examples'>,
): Part =>
  Object.fromEntries(
    webhooks.map(({ name, description, body }) => [
      name,
      {
        post: {
          operationId: `on${name.split(/[._]/).map(capitalized).join('')}`,
          tags: [WEBHOOK_TAG],
          summary: `\`${name}\``,
          description,
          security: [],
          parameters: Object.entries(WEBHOOK_HEADERS).map(([header, text]) => ({
            name: header,
            in: 'header',
            description: text,
            schema: { type: 'string' },
          })),
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: toJsonSchema(body, components),
                ...webhookExample(examples, name),
              },
            },
          },
          responses: { '2XX': { description: 'The delivery is done. Any other answer is a failure.' } },
        },
      },
    ]),
  );

const WEBHOOK_TAG = 'Webhooks';

const WEBHOOK_HEADERS = {
  'X-Event-Id': 'Id of the event.',
  'X-Delivery-Attempt': 'Number of the attempt, from 1.',
  'X-Delivery-Sequence': 'Numbers the events to an endpoint without gaps.',
  'X-Test-Event': '`true` for a sample.',
};

/** Every refusal that the routes can answer, once each and sorted by code. */
export const refusalsOf = (routes: readonly Route[]): readonly Refusal[] =>
  [...new Set([...COMMON_REFUSALS, ...routes.flatMap(({ refusals = [] }) => refusals)])].sort(
    (left, right) => (left.code < right.code ? -1 : 1),
  );

const codesOf = (routes: readonly Route[]): readonly string[] => [
  ...new Set([
    ...Object.keys(CREDENTIALS_FAULTS),
    ...Object.keys(GENERAL_FAULTS),
    ...refusalsOf(routes).map(({ code }) => code),
  ]),
];

const SECURITY_SCHEMES: Part = {
  basic: {
    type: 'http',
    scheme: 'basic',
    description:
      'The user name is a secret key (`sk_…`), and the password is empty. The key may also be sent as a bearer token.',
  },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'A token of `POST /v1/auth/login`, which is valid for one hour, or, where Basic is possible, a secret key (`sk_…`).',
  },
};

/** A header of answers, which is always present or only where it applies. */
const header = (description: string, required: boolean, schema: object = {}): object => ({
  description,
  ...(required ? { required } : {}),
  schema: { type: 'string', ...schema },
});

const HEADERS: Part = {
  'X-Request-Id': header('Id of this request in the logs of the gateway.', true, {
    pattern: '^[A-Za-z0-9._-]{1,128}$',
  }),
  'X-Consistency-Token': header(
    'Token for the changes of this command. A request for a list that sends it waits until the list shows these changes.',
    false,
  ),
  'Retry-After': header('Seconds after which to try again.', true, { pattern: '^\\d+$' }),
  'WWW-Authenticate': header('The schemes that authenticate.', false),
};

/** Headers of a deprecated operation. */
const DEPRECATION: Part = {
  Deprecation: header(
    'Time since when the operation is deprecated: `@` and the seconds since 1970 (RFC 9745).',
    true,
    { pattern: '^@\\d+$' },
  ),
  Sunset: header('Time from which on the operation may be removed, as an HTTP date (RFC 8594).', true),
};

const headerReferences = (names: readonly string[]): Part =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

type ErrorResponse = {
  readonly status: number;
  readonly description: string;
  /** The message, for an error that no test can provoke over HTTP. */
  readonly message?: string;
  readonly headers?: readonly string[];
  /** The codes that the error may have, with their sentences. */
  readonly codes?: readonly Coded[];
  /** Whether the error is answered before any header is read, so that no header can ask for problem details. */
  readonly isUnread?: true;
};
type Coded = { readonly code: string; readonly sentence: string };

const generalCodes = (status: number): readonly Coded[] =>
  Object.entries(GENERAL_FAULTS).flatMap(([code, { statusCode, sentence }]) =>
    statusCode === status ? [{ code, sentence }] : [],
  );

const ERRORS: readonly (ErrorResponse & { readonly name: string })[] = [
  {
    status: 400,
    name: 'BadRequest',
    description: 'The request cannot be read:',
    codes: generalCodes(400),
  },
  {
    status: 401,
    name: 'Unauthorized',
    description: 'The credentials are not accepted:',
    codes: Object.entries(CREDENTIALS_FAULTS).map(([code, sentence]) => ({ code, sentence })),
    headers: ['WWW-Authenticate'],
  },
  {
    status: 403,
    name: 'Forbidden',
    description: 'The caller may not do this:',
    codes: COMMON_REFUSALS,
  },
  {
    status: 404,
    name: 'NotFound',
    description: 'Nothing is there for the caller:',
    codes: generalCodes(404),
  },
  {
    status: 406,
    name: 'NotAcceptable',
    description: 'The request accepts CSV only, but the answer exists as JSON only.',
    message: NO_CSV,
  },
  {
    status: 408,
    name: 'RequestTimeout',
    description: 'The request arrived too slowly; the connection is closed.',
    message: 'Request Timeout',
  },
  { status: 413, name: 'ContentTooLarge', description: 'The body is too large.' },
  {
    status: 415,
    name: 'UnsupportedMediaType',
    description: 'The route does not accept a body of this type.',
  },
  { status: 429, name: 'TooManyRequests', description: 'Too many requests.', headers: ['Retry-After'] },
  {
    status: 431,
    name: 'RequestHeaderFieldsTooLarge',
    description: 'Address and headers together are longer than 16 KiB.',
    message: 'Request Header Fields Too Large',
    isUnread: true,
  },
  {
    status: 500,
    name: 'InternalServerError',
    description: 'A fault of the gateway.',
    message: 'Internal server error',
  },
  {
    status: 503,
    name: 'ServiceUnavailable',
    description: 'A store does not answer, or a view is not up to date yet.',
    headers: ['Retry-After'],
  },
];

const errorResponse = (
  { status, description, message, headers = [], codes = [], isUnread }: ErrorResponse,
  examples: Examples,
): Part => ({
  description: [description, linesOf(codes)].filter(Boolean).join('\n\n'),
  headers: headerReferences(['X-Request-Id', ...headers]),
  content: {
    'application/json': {
      schema: codes.length > 0 ? errorWith(codes) : ANY_ERROR,
      ...errorExamples(examples, status, codes, message),
    },
    ...(isUnread ? {} : { [PROBLEM]: { schema: { $ref: '#/components/schemas/Problem' } } }),
  },
});

const ANY_ERROR: Part = { $ref: '#/components/schemas/Error' };

const errorWith = (codes: readonly Coded[]): Part => ({
  allOf: [ANY_ERROR],
  type: 'object',
  required: ['code'],
  properties: {
    code: {
      description: 'The rule that refused the request.',
      type: 'string',
      enum: [...new Set(codes.map(({ code }) => code))],
    },
  },
});

const linesOf = (codes: readonly Coded[]): string =>
  codes.map(({ code, sentence }) => `- \`${code}\`: ${sentence}.`).join('\n');

/** The answer of one status, with the refusals that the route itself names. */
const refusedResponse = (status: number, refusals: readonly Refusal[], examples: Examples): Part => {
  const codes = [...generalCodes(status), ...refusals, ...(status === 403 ? COMMON_REFUSALS : [])];
  return errorResponse({ status, description: REFUSED[status] ?? '', codes }, examples);
};

const REFUSED: Readonly<Record<number, string>> = {
  400: 'The request cannot be read, or a rule refuses it whatever the state:',
  403: 'The caller may not do this:',
  409: 'The record has changed since:',
  410: 'The resource existed, but its time has passed:',
  422: 'A rule refuses the request; `code` names the first rule that applies:',
};

const WITH_BODY = ['post', 'put', 'patch'];

const operationOf = (route: Route, making: Making): Part => {
  const parameters = parametersOf(route, making);
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    description: [deprecationOf(route), route.description, permissionOf(route.access)]
      .filter(Boolean)
      .join('\n\n'),
    ...(route.deprecated ? { deprecated: true } : {}),
    security: securityOf(route.access),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.body ? { requestBody: requestBodyOf(route, route.body, making) } : {}),
    responses: { ...successesOf(route, making), ...errorsOf(route, making) },
    'x-codeSamples': samplesOf(callOf(route, parameters, making)),
  };
};

/** The call that tests recorded, or else one with the example of the body's schema. */
const callOf = (
  route: Route,
  described: readonly Part[],
  { components, examples: known }: Making,
): SampleCall => {
  const { parameters: recorded = {}, request } = known.operations[route.operationId] ?? {};
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const parameters = Object.fromEntries(names.map((name) => [name, recorded[name] ?? `<${name}>`]));
  const query = Object.fromEntries(
    described
      .filter((parameter) => parameter.in === 'query' && parameter.required === true)
      .map(({ name, schema }) => [String(name), exampleOf(schema as JsonSchema, components) ?? `<${name}>`]),
  );
  const { examples = [] } = (route.body?.describe() ?? {}) as { examples?: readonly unknown[] };
  const body = request ?? examples[0];
  return {
    operationId: route.operationId,
    method: route.method,
    path: route.path,
    parameters,
    query,
    ...(body === undefined ? {} : { body }),
    isPublic: route.access === null,
  };
};

/** The first example of a schema, or of the component that it refers to. */
const exampleOf = ({ $ref, examples }: JsonSchema, components: Components): string | null => {
  const named = typeof $ref === 'string' ? components.get($ref.split('/').at(-1) ?? '') : undefined;
  const [example] = (named?.examples ?? examples ?? []) as readonly unknown[];
  return example === undefined ? null : String(example);
};

const deprecationOf = ({ deprecated }: Route): string =>
  deprecated
    ? `Deprecated since ${deprecated.since}, may be removed from ${deprecated.sunset} on: use \`${deprecated.insteadUse}\`.`
    : '';

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

/**
 * The security requirement of a route. A route for users only accepts only a bearer token: operators are users, and
 * keys lack the permissions of people.
 */
const securityOf = (access: Access | null): readonly Part[] => {
  if (access === null) return [];
  const isForUsers = access.merchant === undefined || isForPeople(access.merchant);
  const schemes = access.schemes ?? (isForUsers ? ['bearer'] : ['basic', 'bearer']);
  return schemes.map((scheme) => ({ [scheme]: [] }));
};

const parametersOf = (route: Route, { components, examples }: Making): readonly Part[] => [
  ...[...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    ...describedBy(route.params?.[name]),
    required: true,
    schema: { type: 'string' },
    ...parameterExample(examples, route.operationId, name),
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
          description:
            'The token of an earlier answer, or `latest`: the answer waits until the view shows everything recorded until then.',
          schema: { type: 'string', pattern: CONSISTENCY_TOKEN.source, examples: ['latest'] },
        },
        {
          name: 'Prefer',
          in: 'header',
          description: '`consistency=latest` waits as the token `latest` does; `Preference-Applied` says so.',
          schema: { type: 'string', examples: ['consistency=latest'] },
        },
      ]
    : []),
];

const describedBy = (description: unknown): Part => (description === undefined ? {} : { description });

const headerName = (name: string): string => name.replaceAll(/(^|-)[a-z]/g, (start) => start.toUpperCase());

const requestBodyOf = (route: Route, body: Joi.Schema, { components, examples }: Making): Part => ({
  required: !isExplicitlyOptional(body),
  content: {
    'application/json': {
      schema: namedSchema(`${capitalized(route.operationId)}Request`, body, components),
      ...requestExample(examples, route.operationId),
    },
    ...Object.fromEntries(
      Object.entries(route.otherBodyTypes ?? {}).map(([type, schema]) => [
        type,
        { schema: toJsonSchema(schema, components), ...encodingOf(schema) },
      ]),
    ),
  },
});

/** The types that the files of a form may have, from the tags of their schemas. */
const encodingOf = (form: Joi.ObjectSchema): Part => {
  const { keys = {} } = form.describe() as { keys?: Record<string, { tags?: readonly string[] }> };
  const encoding = Object.entries(keys)
    .filter(([, { tags }]) => tags !== undefined)
    .map(([name, { tags = [] }]) => [name, { contentType: tags.join(', ') }]);
  return encoding.length === 0 ? {} : { encoding: Object.fromEntries(encoding) };
};

/**
 * The schema of a body with a name, so that clients get a type for it: its label, or else a name made from the
 * operation.
 */
const namedSchema = (name: string, body: Joi.Schema, components: Components): JsonSchema => {
  const schema = toJsonSchema(body, components);
  return '$ref' in schema ? schema : toJsonSchema(body.meta({ title: name }), components);
};

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** The content of an answer. Types other than JSON are plain bytes or text here. */
const contentOf = (schema: JsonSchema | null, example: Part, otherTypes: readonly string[] = []): Part => ({
  ...(schema ? { 'application/json': { schema, ...example } } : {}),
  ...Object.fromEntries(otherTypes.map((type) => [type, {}])),
});

const successesOf = (route: Route, { routes, components, examples }: Making): Part => {
  const links = linksFrom(route, routes);
  return Object.fromEntries(
    Object.entries(route.responses).map(([status, { description, schema, headers = {}, otherTypes }]) => {
      const name = `${capitalized(route.operationId)}Answer`;
      const content = contentOf(
        schema ? namedSchema(name, schema, components) : null,
        answerExample(examples, route.operationId, status),
        otherTypes,
      );
      return [
        status,
        {
          description,
          headers: {
            ...headerReferences(['X-Request-Id', ...(route.method === 'get' ? [] : ['X-Consistency-Token'])]),
            ...(route.deprecated ? DEPRECATION : {}),
            ...Object.fromEntries(
              Object.entries(headers).map(([name, text]) => [
                name,
                { description: text, schema: { type: 'string' } },
              ]),
            ),
          },
          ...(Object.keys(content).length > 0 ? { content } : {}),
          ...(status === '201' && Object.keys(links).length > 0 ? { links } : {}),
        },
      ];
    }),
  );
};

/** Errors that the pipeline may answer on this route, and errors that the route declares. */
const errorsOf = (route: Route, { examples }: Making): Part => {
  const declared: readonly number[] = route.errors ?? [];
  const refusals = route.refusals ?? [];
  const statuses = [
    400,
    403,
    408,
    431,
    500,
    503,
    ...(route.access ? [401, 429] : []),
    ...(route.path.includes('{') ? [404] : []),
    ...(lacksCsv(route) ? [406] : []),
    ...(WITH_BODY.includes(route.method) || route.body ? [413, 415] : []),
    ...declared,
  ];
  const general = ERRORS.filter(({ status }) => statuses.includes(status)).map(
    ({ status, name }): [number, Part] => [status, { $ref: `#/components/responses/${name}` }],
  );
  const own = [...new Set(refusals.map(({ statusCode }) => statusCode))].map((status): [number, Part] => [
    status,
    refusedResponse(
      status,
      refusals.filter(({ statusCode }) => statusCode === status),
      examples,
    ),
  ]);
  return Object.fromEntries([...general, ...own]);
};
