import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createOpenApi } from '../platform/http/openapi.ts';
import { REDIS, ROUTES } from '../platform/platform.module.ts';
import { loadConfig } from './config.ts';
import { createContainer } from './container.ts';

const SECRET = 'a secret of the tests that is long enough to be one';

/** The document of every route that there is; no store is needed to describe them, so none is reached. */
const createDocument = (): object => {
  const container = createContainer(
    loadConfig({
      NODE_ENV: 'test',
      MONGODB_URI: 'mongodb://127.0.0.1:1/',
      ELASTICSEARCH_NODE: 'http://127.0.0.1:1',
      REDIS_URL: 'redis://127.0.0.1:1',
      JWT_SECRET: SECRET,
      SECRETS_KEY: SECRET,
      KEY_PEPPER: SECRET,
    }),
  );
  container.get(REDIS).disconnect();
  return createOpenApi(container.getAll(ROUTES).flat());
};

type Node = Readonly<Record<string, unknown>>;
type Field = { readonly at: string; readonly description: unknown };

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** The properties, parameters and headers that a part of the document has itself. */
const ownFields = ({ properties, parameters, headers }: Node): readonly (readonly [string, unknown])[] => [
  ...Object.entries(properties ?? {}),
  ...(Array.isArray(parameters)
    ? parameters.map((one: Node) => [`${one.in} ${one.name}`, one] as const)
    : []),
  // A header that is referred to is described where it is defined.
  ...Object.entries(headers ?? {}).filter(([, header]) => !('$ref' in header)),
];

/** Those of a part and of all parts within it; examples are no part, whatever their members are called. */
const fieldsIn = (node: unknown, at: string): readonly Field[] =>
  isNode(node)
    ? [
        ...ownFields(node).map(([name, field]) => ({
          at: `${at} ${name}`,
          description: isNode(field) && field.description,
        })),
        ...Object.entries(node).flatMap(([key, member]) =>
          key === 'examples' ? [] : fieldsIn(member, `${at}/${key}`),
        ),
      ]
    : [];

const undescribed = (document: object): readonly string[] =>
  fieldsIn(document, '')
    .filter(({ description }) => !description)
    .map(({ at }) => at);

/** The codes that the program refuses with, as its sources have them. */
const refusalCodes = (): readonly string[] =>
  readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) => [
      ...readFileSync(join('src', file), 'utf8').matchAll(/(?:unprocessable|forbidden)\(\s*'([A-Z_]+)'/g),
    ])
    .map(([, code = '']) => code);

describe('the OpenAPI document', () => {
  it('names every code that a program may have to tell apart', () => {
    const document = JSON.stringify(createDocument());
    expect(refusalCodes().length).toBeGreaterThan(40);
    expect(refusalCodes().filter((code) => !document.includes(code))).toEqual([]);
  });

  it('describes every property, parameter and header', () => {
    const document = createDocument();
    expect(fieldsIn(document, '').length).toBeGreaterThan(1_000);
    expect(undescribed(document)).toEqual([]);
  });

  it('would be caught with one that is not described', () => {
    const schema = { properties: { id: { type: 'string' }, name: { description: 'In full.' } } };
    const operation = { parameters: [{ in: 'query', name: 'page' }], examples: [schema] };
    expect(undescribed({ get: operation, schema })).toEqual(['/get query page', '/schema id']);
  });
});
