import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** An answer as supertest returns it. */
type CheckedResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: unknown;
};

/** Throws for an answer that the OpenAPI document does not describe. */
type ResponseCheck = (method: string, path: string, response: CheckedResponse) => void;

type Described = {
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>;
  readonly headers?: Readonly<Record<string, { readonly required?: boolean; readonly $ref?: string }>>;
  readonly $ref?: string;
};
type Operation = { readonly responses: Readonly<Record<string, Described>> };
export type OpenApiDocument = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};

/**
 * Answers of requests without an operation: the URL is broken or too long, TLS is missing, or the route or method is
 * unknown.
 */
const WITHOUT_OPERATION = [400, 403, 404, 405, 431];
const ERROR = '/components/schemas/Error';

/**
 * Checks answers against the gateway's OpenAPI document: the status is described, its headers are present, and the body
 * matches. An answer outside `/v1` is not described, and only needs its request id.
 */
export const createResponseCheck = (document: OpenApiDocument): ResponseCheck => {
  const ajv = createAjv(document);
  const compiled = new Map<string, ValidateFunction>();
  const templates = Object.keys(document.paths).map(toTemplate).sort(byParameters);

  const schemaAt = (pointer: string): ValidateFunction => {
    const known = compiled.get(pointer) ?? ajv.compile({ $ref: `${DOCUMENT}#${encodeURI(pointer)}` });
    compiled.set(pointer, known);
    return known;
  };

  const matchBody = (pointer: string, body: unknown, complain: Complain): void => {
    const validate = schemaAt(pointer);
    if (!validate(body))
      complain(`has a body that is not as described:\n${explain(validate.errors)}\n${show(body)}`);
  };

  return (method, path, response) => {
    const pathname = path.split(/[?#]/)[0] ?? '';
    const complain: Complain = (problem) => {
      throw new Error(`${method.toUpperCase()} ${pathname} answered ${response.status}, which ${problem}`);
    };
    if (!response.headers['x-request-id']) complain('has no X-Request-Id');
    if (!pathname.startsWith('/v1/')) return;

    const described = method.toLowerCase() === 'head' ? 'get' : method.toLowerCase();
    const template = templates.find(
      ({ regex, path: name }) => regex.test(pathname) && document.paths[name]?.[described],
    );
    const responses = template && document.paths[template.path]?.[described]?.responses;
    if (!template || !responses) {
      if (pathname === '/v1/openapi.json' && response.status === 200) return;
      if (!WITHOUT_OPERATION.includes(response.status)) complain('has no operation in the OpenAPI document');
      if (method.toLowerCase() !== 'head') matchBody(ERROR, response.body, complain);
      return;
    }

    const given = responses[response.status];
    if (!given)
      return complain(`the OpenAPI document does not describe (${Object.keys(responses).join(', ')})`);
    const pointer = given.$ref
      ? given.$ref.slice(1)
      : `/paths/${escapeKey(template.path)}/${described}/responses/${response.status}`;
    const { content, headers = {} } = resolve<Described>(document, given);
    for (const [name, header] of Object.entries(headers)) {
      if (resolve<{ required?: boolean }>(document, header).required && !response.headers[name.toLowerCase()])
        complain(`has no ${name}`);
    }
    if (method.toLowerCase() === 'head') return;

    const type = String(response.headers['content-type'] ?? '').split(';')[0] ?? '';
    if (!content) {
      if (type !== '') complain(`is described without a body but has one of type ${type}`);
      return;
    }
    const media = content[type];
    if (!media) return complain(`is of type '${type}', not ${Object.keys(content).join(' or ')}`);
    if (media.schema) matchBody(`${pointer}/content/${escapeKey(type)}/schema`, response.body, complain);
  };
};

type Complain = (problem: string) => void;

const DOCUMENT = 'openapi';

/** Compiles every schema of a document, and returns their number; throws for one that is no JSON Schema. */
export const compileSchemas = (document: OpenApiDocument): number => {
  const ajv = createAjv(document);
  const pointers = schemaPointers(document, '');
  for (const pointer of pointers) ajv.compile({ $ref: `${DOCUMENT}#${encodeURI(pointer)}` });
  return pointers.length;
};

/** An Ajv that has the document under a name. Unknown keywords are OpenAPI's own, so they are no fault. */
const createAjv = (document: OpenApiDocument): Ajv2020 => {
  const ajv = new Ajv2020({ strict: false, allErrors: true, multipleOfPrecision: 8 });
  addFormats.default(ajv);
  for (const name of ['time-zone', 'binary']) ajv.addFormat(name, true);
  ajv.addSchema(document, DOCUMENT);
  return ajv;
};

const schemaPointers = (node: unknown, at: string): readonly string[] => {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, member]) => {
    const pointer = `${at}/${escapeKey(key)}`;
    if (key === 'schema') return [pointer];
    if (pointer === '/components/schemas')
      return Object.keys(member).map((name) => `${pointer}/${escapeKey(name)}`);
    return schemaPointers(member, pointer);
  });
};

/** Escapes for a JSON Pointer (RFC 6901). */
const escapeKey = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

const resolve = <T extends object>(document: OpenApiDocument, node: T & { readonly $ref?: string }): T => {
  if (node.$ref === undefined) return node;
  const [, , group = '', name = ''] = node.$ref.split('/');
  const target = document.components[group]?.[name];
  if (!target) throw new Error(`the OpenAPI document has no ${node.$ref}`);
  return target as T;
};

type Template = { readonly path: string; readonly regex: RegExp; readonly parameters: number };

const toTemplate = (path: string): Template => ({
  path,
  regex: new RegExp(
    `^${path
      .split(/\{\w+\}/)
      .map((literal) => literal.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('[^/]+')}$`,
  ),
  parameters: path.split('{').length - 1,
});

/** A path without parameters takes precedence over one that matches only by a parameter. */
const byParameters = (left: Template, right: Template): number => left.parameters - right.parameters;

const explain = (errors: ValidateFunction['errors']): string =>
  (errors ?? [])
    .slice(0, 10)
    .map((error: ErrorObject) => {
      const extra = error.params.additionalProperty ?? error.params.allowedValues;
      return `  ${error.instancePath || 'the body'} ${error.message}${extra === undefined ? '' : `: ${extra}`}`;
    })
    .join('\n');

const show = (body: unknown): string => JSON.stringify(body, null, 2)?.slice(0, 2_000) ?? 'no body';
