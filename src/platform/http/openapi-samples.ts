/** A call of an operation with the values of an example. */
export type SampleCall = {
  readonly operationId: string;
  readonly method: string;
  /** The path with its parameters in braces. */
  readonly path: string;
  /** Values of the parameters in the path. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Values of the required query parameters. */
  readonly query: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly isPublic: boolean;
};

/** A member of `x-codeSamples`, an OpenAPI extension that documentation tools support. */
type CodeSample = { readonly lang: string; readonly label: string; readonly source: string };

/** The call in curl, TypeScript and Python; `BASE` and `KEY` come from the environment. */
export const samplesOf = (call: SampleCall): readonly CodeSample[] => [
  { lang: 'Shell', label: 'curl', source: shell(call) },
  { lang: 'TypeScript', label: 'TypeScript', source: typescript(call) },
  { lang: 'Python', label: 'Python', source: python(call) },
];

const addressOf = ({ path, parameters, query }: SampleCall): string => {
  const search = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const address = path.replaceAll(/\{(\w+)\}/g, (whole, name: string) => parameters[name] ?? whole);
  return [address, ...(search.length > 0 ? [search.join('&')] : [])].join('?');
};

const json = (value: unknown): string => JSON.stringify(value, null, 2);

const shell = (call: SampleCall): string => {
  const { method, body, isPublic } = call;
  const lines = [
    `curl${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} "$BASE${addressOf(call)}"`,
    ...(isPublic ? [] : ['-H "Authorization: Bearer $KEY"']),
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d '${json(body).replaceAll("'", `'\\''`)}'`]),
  ];
  return lines.join(' \\\n  ');
};

const typescript = ({ operationId, parameters, query, body }: SampleCall): string => {
  const settings = {
    ...(Object.keys(parameters).length > 0 ? { path: parameters } : {}),
    ...(Object.keys(query).length > 0 ? { query } : {}),
    ...(body === undefined ? {} : { body }),
  };
  return `import { createPortico, unwrap } from 'portico-client';

const portico = createPortico({ baseUrl: process.env.BASE ?? '', credentials: process.env.KEY ?? '' });
console.log(unwrap(await portico.${operationId}(${Object.keys(settings).length > 0 ? json(settings) : ''})));`;
};

const python = (call: SampleCall): string => {
  const { method, body, isPublic } = call;
  const given = [
    `"${method.toUpperCase()}"`,
    `os.environ["BASE"] + "${addressOf(call)}"`,
    ...(isPublic ? [] : ['headers={"Authorization": "Bearer " + os.environ["KEY"]}']),
    ...(body === undefined ? [] : [`json=${literal(body, '    ')}`]),
  ];
  return `import os
import httpx

answer = httpx.request(
    ${given.join(',\n    ')},
)
answer.raise_for_status()
print(answer.text)`;
};

/** A JSON value in Python's notation. */
const literal = (value: unknown, indent: string): string => {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const inner = `${indent}    `;
  const members = Array.isArray(value)
    ? value.map((one) => literal(one, inner))
    : Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${literal(one, inner)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return members.length === 0
    ? `${open}${close}`
    : `${open}\n${inner}${members.join(`,\n${inner}`)},\n${indent}${close}`;
};
