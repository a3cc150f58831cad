import { type Call, PREPARED, type Prepared } from './prepared.ts';

type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
};
type Content = { readonly examples?: Readonly<Record<string, { readonly value: object }>> };
type Operation = {
  readonly operationId: string;
  readonly tags: readonly [string];
  readonly summary: string;
  readonly description: string;
  readonly security: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: object;
};
type Document = {
  readonly info: { readonly title: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};
type Method = { readonly method: string; readonly path: string; readonly operation: Operation };

type Settings = { readonly baseUrl: string; readonly testKey: string; readonly masterKey: string };

/**
 * A Postman collection (format 2.1) of every operation of the OpenAPI document that a secret key may call. Each request
 * works on its own with the demonstration's keys: it first creates what it needs, and it tests the status.
 */
export const collectionOf = (document: object, settings: Settings): object => {
  const { info, tags, paths } = document as Document;
  const operations = Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
    )
    .filter(({ operation }) => operation.security.some((scheme) => 'basic' in scheme));
  return {
    info: {
      name: info.title,
      description: info.description,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: authOf('testKey'),
    variable: Object.entries(settings).map(([key, value]) => ({ key, value })),
    item: tags.flatMap(({ name, description }) => {
      const own = operations.filter(({ operation }) => operation.tags.includes(name));
      return own.length === 0 ? [] : [{ name, description, item: own.map(requestOf) }];
    }),
  };
};

const authOf = (key: keyof Settings): object => ({
  type: 'basic',
  basic: [
    { key: 'username', value: `{{${key}}}` },
    { key: 'password', value: '' },
  ],
});

const requestOf = ({ method, path, operation }: Method): object => {
  const prepared = PREPARED[operation.operationId] ?? {};
  const { parameters = [] } = operation;
  return {
    name: operation.summary,
    request: {
      method: method.toUpperCase(),
      description: operation.description,
      ...(prepared.key === 'master' ? { auth: authOf('masterKey') } : {}),
      header: parameters.some(({ name }) => name === 'Prefer')
        ? [{ key: 'Prefer', value: 'consistency=latest' }]
        : [],
      url: urlOf(path, parameters, prepared),
      ...bodyOf(operation, prepared),
    },
    event: [
      eventOf('prerequest', callsOf(prepared.before, prepared)),
      eventOf('test', [...testOf(operation), ...callsOf(prepared.after, prepared)]),
    ],
  };
};

const urlOf = (path: string, parameters: readonly Parameter[], { values = {} }: Prepared): object => ({
  raw: `{{baseUrl}}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
  host: ['{{baseUrl}}'],
  path: path
    .slice(1)
    .replaceAll(/\{(\w+)\}/g, ':$1')
    .split('/'),
  query: parameters
    .filter((one) => one.in === 'query')
    .map(({ name, description = '' }) => ({
      key: name,
      value: values[name] ?? '',
      description,
      disabled: values[name] === undefined,
    })),
  variable: parameters
    .filter((one) => one.in === 'path')
    .map(({ name, description = '' }) => ({ key: name, value: values[name] ?? '', description })),
});

/** The example that tests recorded, with the values that this request has prepared. */
const bodyOf = ({ requestBody }: Operation, { body }: Prepared): object => {
  const { examples = {} } = requestBody?.content['application/json'] ?? {};
  const [example] = Object.values(examples);
  if (!example && !body) return {};
  const raw = JSON.stringify({ ...example?.value, ...body }, null, 2);
  return { body: { mode: 'raw', raw, options: { raw: { language: 'json' } } } };
};

const eventOf = (listen: string, exec: readonly string[]): object => ({
  listen,
  script: { type: 'text/javascript', exec },
});

const testOf = ({ responses }: Operation): readonly string[] => {
  const status = Object.keys(responses).find((one) => one.startsWith('2')) ?? '';
  return [
    `pm.test('answers ${status}', () => pm.response.to.have.status(${status}));`,
    ...(status === '201' ? [`pm.variables.set('created', pm.response.json().id);`] : []),
  ];
};

const callsOf = (calls: readonly Call[] = [], { key }: Prepared): readonly string[] =>
  calls.length === 0
    ? []
    : `const calls = ${JSON.stringify(calls, null, 2)};
const authorization = 'Basic ' + btoa(pm.variables.get('${key === 'master' ? 'masterKey' : 'testKey'}') + ':');
pm.variables.set('inOneYear', new Date(Date.now() + 365 * 24 * 3600 * 1000).toISOString());
const next = () => {
  if (calls.length === 0) return;
  const { method, path, body, save = {} } = calls.shift();
  const request = {
    method,
    url: pm.variables.replaceIn('{{baseUrl}}' + path),
    header: { Authorization: authorization, Prefer: 'consistency=latest', 'Content-Type': 'application/json' },
    body: body && { mode: 'raw', raw: pm.variables.replaceIn(JSON.stringify(body)) },
  };
  pm.sendRequest(request, (error, answer) => {
    if (error || answer.code >= 400) throw error || new Error(method + ' ' + path + ': ' + answer.text());
    for (const [name, place] of Object.entries(save))
      pm.variables.set(name, place.split('.').reduce((value, member) => value[member], answer.json()));
    next();
  });
};
next();`.split('\n');
