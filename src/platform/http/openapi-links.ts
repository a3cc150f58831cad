import type Joi from 'joi';
import type { Route } from './route.ts';

/** An OpenAPI link: the next operation, with parts of this request and answer as its parameters or body. */
type Link = {
  readonly operationId: string;
  readonly description: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly requestBody?: Readonly<Record<string, string>>;
};

const CREATED_ID = '$response.body#/id';

/** The operations on a resource that a route creates: those below its path, and those whose body contains its id. */
export const linksFrom = (route: Route, routes: readonly Route[]): Readonly<Record<string, Link>> => {
  const created = route.responses[201]?.schema;
  if (route.method !== 'post' || !created || !membersOf(created).includes('id')) return {};
  const from = route.createdBelow ?? route.path;
  return Object.fromEntries(
    routes.flatMap((other) => {
      const link = linkTo(other, from);
      return link === null ? [] : [[other.operationId, link]];
    }),
  );
};

const linkTo = ({ operationId, summary, path, body }: Route, from: string): Link | null => {
  const about = { operationId, description: `${summary}.` };
  const [own = '', ...rest] = namesIn(path.slice(from.length));
  if (path.startsWith(`${from}/{`) && rest.length === 0) {
    const given = namesIn(from).map((name) => [name, `$request.path.${name}`]);
    return { ...about, parameters: { ...Object.fromEntries(given), [own]: CREATED_ID } };
  }
  const id = nameOfId(from);
  const isNamed = path.includes('{') === false && body !== undefined && membersOf(body).includes(id);
  return isNamed ? { ...about, requestBody: { [id]: CREATED_ID } } : null;
};

const namesIn = (path: string): readonly string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

/** The names of members only, because describing the whole schema takes a thousand times as long. */
const membersOf = (schema: Joi.Schema): readonly string[] =>
  ((schema.$_terms.keys ?? []) as readonly { readonly key: string }[]).map(({ key }) => key);

/** The name of the id in a resource's collection, such as `chargeId` for `/v1/charges`. */
const nameOfId = (path: string): string => {
  const noun = (path.split('/').at(-1) ?? '').replace(/s$/, '');
  return `${noun.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}Id`;
};
