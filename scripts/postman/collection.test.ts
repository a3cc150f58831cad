import { openApiDocument } from '../openapi-document.ts';
import { collectionOf } from './collection.ts';
import { PREPARED } from './prepared.ts';

type Parameter = { readonly key: string; readonly value: string; readonly disabled?: boolean };
type Item = {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly url: { readonly raw: string; readonly variable: Parameter[]; readonly query: Parameter[] };
    readonly body?: { readonly raw: string };
  };
  readonly event: readonly { readonly script: { readonly exec: readonly string[] } }[];
};
type Collection = { readonly item: readonly { readonly name: string; readonly item: readonly Item[] }[] };
type Operation = {
  readonly operationId: string;
  readonly security: readonly object[];
  readonly requestBody?: object;
};

const document = openApiDocument() as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
const withKey = operations.filter(({ security }) => security.some((scheme) => 'basic' in scheme));
const settings = { baseUrl: 'http://127.0.0.1:3000', testKey: 'sk_test_a', masterKey: 'sk_test_b' };
const { item: folders } = collectionOf(document, settings) as Collection;
const requests = folders.flatMap(({ item }) => item);

describe('the Postman collection', () => {
  it('has every operation that a secret key may call, and prepares none that is not there', () => {
    expect(requests).toHaveLength(withKey.length);
    expect(requests.length).toBeGreaterThan(40);
    const ids = withKey.map(({ operationId }) => operationId);
    expect(Object.keys(PREPARED).filter((id) => !ids.includes(id))).toEqual([]);
  });

  it('leaves no parameter empty that a request needs', () => {
    const empty = requests.flatMap(({ name, request: { url } }) =>
      [...url.variable, ...url.query.filter(({ disabled }) => !disabled)]
        .filter(({ value }) => value === '')
        .map(({ key }) => `${name}: ${key}`),
    );
    expect(empty).toEqual([]);
  });

  it('sets each variable that a request has, by a call before it', () => {
    for (const { request, event } of requests) {
      const scripts = event.map(({ script }) => script.exec.join('\n')).join('\n');
      for (const [, name] of JSON.stringify(request).matchAll(/\{\{(\w+)\}\}/g))
        if (!Object.keys(settings).includes(name ?? ''))
          expect(scripts).toMatch(new RegExp(`"${name}": "|set\\('${name}', `));
    }
  });

  it('has a body wherever an operation takes one', () => {
    const taken = withKey.filter(({ requestBody }) => requestBody).length;
    expect(requests.filter(({ request }) => request.body)).toHaveLength(taken);
  });
});
