import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';

type Json = Readonly<Record<string, unknown>>;

/** An operation of the API, with its path's parameters. */
export type Operation = {
  readonly method: string;
  /** The path as in the file: `/cob/{txid}`. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  /** Any one of these scopes is enough. */
  readonly scopes: readonly string[];
};

const FILE = 'test/support/pix-api/openapi.yaml';
const POINTER = '#/components';

/** The rules of the API's OpenAPI file. Each returns the violations. */
export const createPixRules = () => {
  const document: Json = parse(readFileSync(FILE, 'utf8'));
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(anchored({ $id: 'api', components: document.components }) as Json);
  const validators = new Map<string, ReturnType<Ajv['compile']>>();

  const faultsOf = (schema: unknown, value: unknown): readonly string[] => {
    const key = JSON.stringify(schema);
    const validate = validators.get(key) ?? ajv.compile(absolute(anchored(schema)) as Json);
    validators.set(key, validate);
    return validate(value)
      ? []
      : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };

  const resolve = (value: unknown): Json => {
    const ref = (value as Json | undefined)?.$ref;
    if (typeof ref !== 'string') return (value ?? {}) as Json;
    return resolve(
      ref
        .split('/')
        .slice(1)
        .reduce<unknown>((at, part) => (at as Json)[part], document),
    );
  };
  const schemaIn = (holder: unknown): unknown => {
    const content = resolve(holder).content as Record<string, Json> | undefined;
    return Object.values(content ?? {})[0]?.schema;
  };

  const paths = document.paths as Record<string, Record<string, unknown>>;
  const itemOf = ({ method, path }: Pick<Operation, 'method' | 'path'>): Json =>
    (paths[path]?.[method] ?? {}) as Json;

  return {
    /** The operation of a request; null where the API has none. */
    find(method: string, path: string): Operation | null {
      for (const template of Object.keys(paths)) {
        const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
        const match = new RegExp(`^${template.replace(/\{\w+\}/g, '([^/]+)')}$`).exec(path);
        const operation = { method: method.toLowerCase(), path: template };
        if (!match || !paths[template]?.[operation.method]) continue;
        const values = match.slice(1).map(decodeURIComponent);
        const params = Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
        const security = itemOf(operation).security as readonly { readonly OAuth2?: readonly string[] }[];
        return { ...operation, params, scopes: security.flatMap(({ OAuth2 = [] }) => OAuth2) };
      }
      return null;
    },

    requestFaults(operation: Operation, body: unknown): readonly string[] {
      const parameters = (paths[operation.path]?.parameters ?? []) as readonly Json[];
      const inPath = parameters.flatMap(({ name, schema }) =>
        faultsOf(schema, operation.params[String(name)]).map((fault) => `${name}${fault}`),
      );
      const schema = schemaIn(itemOf(operation).requestBody);
      return [...inPath, ...(schema ? faultsOf(schema, body) : [])];
    },

    answerFaults(operation: Operation, status: number, body: unknown): readonly string[] {
      const answers = itemOf(operation).responses as Record<string, unknown>;
      const answer = answers[String(status)];
      if (!answer) return [`${operation.method} ${operation.path} does not answer ${status}`];
      const schema = schemaIn(answer);
      return schema ? faultsOf(schema, body) : [];
    },

    /** `name` is the callback's body as the file names it. */
    callbackFaults(name: string, body: unknown): readonly string[] {
      const bodies = (document.components as Record<string, Record<string, unknown>>).requestBodies;
      return faultsOf(schemaIn(bodies?.[name]), body);
    },
  };
};

/** Anchors the file's patterns, which are meant for the whole value. */
const anchored = (schema: unknown): unknown =>
  mapped(schema, (key, value) => (key === 'pattern' && typeof value === 'string' ? `^(?:${value})$` : value));

const absolute = (schema: unknown): unknown =>
  mapped(schema, (key, value) =>
    key === '$ref' && typeof value === 'string' ? value.replace(POINTER, `api${POINTER}`) : value,
  );

const mapped = (value: unknown, change: (key: string, value: unknown) => unknown): unknown => {
  if (Array.isArray(value)) return value.map((one) => mapped(one, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, mapped(change(key, one), change)]),
  );
};
