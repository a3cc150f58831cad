import type { Method } from './call.ts';

type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema | false;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
};
type Parameter = { readonly name: string; readonly in: string; readonly schema?: Schema };
type Operation = {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: Schema }>> };
};
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};

/** A place in a request that can hold a text; for a place in a body, the names from the outside in. */
export type Field = {
  readonly method: Method;
  readonly path: string;
  readonly in: 'path' | 'query' | 'body';
  readonly at: readonly (string | number)[];
  /** Whether the place is an object with members of any name. */
  readonly isOpen: boolean;
};

const JSON_TYPE = 'application/json';

/** Every place of every request in the document: parameters, and texts and open objects of JSON bodies. */
export const fieldsOf = (document: Document): readonly Field[] =>
  Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, described]) => {
      const { parameters = [], requestBody } = described as Operation;
      const route = { method: method as Method, path };
      const isParameter = (where: string): where is 'path' | 'query' => where === 'path' || where === 'query';
      return [
        ...parameters.flatMap(({ name, in: where }) =>
          isParameter(where) ? [{ ...route, in: where, at: [name], isOpen: false }] : [],
        ),
        ...placesIn(document, requestBody?.content[JSON_TYPE]?.schema, []).map((place) => ({
          ...route,
          in: 'body' as const,
          ...place,
        })),
      ];
    }),
  );

type Place = Pick<Field, 'at' | 'isOpen'>;

const placesIn = (document: Document, schema: Schema | undefined, at: Field['at']): readonly Place[] => {
  if (!schema) return [];
  const { $ref, type, properties, additionalProperties, items, anyOf = [] } = schema;
  if ($ref !== undefined) {
    const name = $ref.replace('#/components/schemas/', '');
    return placesIn(document, document.components.schemas?.[name] as Schema, at);
  }
  const isObject = [type].flat().includes('object');
  const isText = [type].flat().some((one) => one === 'string' || one === undefined) && anyOf.length === 0;
  const places = [
    ...(isText ? [{ at, isOpen: false }] : []),
    ...(isObject && additionalProperties !== false ? [{ at, isOpen: true }] : []),
    ...Object.entries(properties ?? {}).flatMap(([name, member]) =>
      placesIn(document, member, [...at, name]),
    ),
    ...(items ? placesIn(document, items, [...at, 0]) : []),
    ...anyOf.flatMap((variant) => placesIn(document, variant, at)),
  ];
  return [...new Map(places.map((place) => [JSON.stringify(place), place])).values()];
};

/** A body with a value at this place and nothing else. */
export const bodyWith = (at: Field['at'], value: unknown): unknown =>
  at.reduceRight((inner, name) => (typeof name === 'number' ? [inner] : { [name]: inner }), value);
