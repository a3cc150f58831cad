import { readFileSync } from 'node:fs';
import { openApiDocument } from '../openapi-document.ts';
import { operationsModule, shapeOf } from './client-sources.ts';

type Schema = {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
};

/** Paths of a schema's members; optional ones are followed by `?`. */
const membersOf = (schema: Schema, at: string): readonly string[] => {
  const { properties = {}, required = [], items, anyOf = [], oneOf = [], allOf = [] } = schema;
  const inside = [...(items ? [items] : []), ...anyOf, ...oneOf, ...allOf];
  return [
    ...Object.entries(properties).flatMap(([name, member]) => [
      `${at}.${name}${required.includes(name) ? '' : '?'}`,
      ...membersOf(member, `${at}.${name}`),
    ]),
    ...inside.flatMap((one) => membersOf(one, at)),
  ];
};

/** Members of the types of all components, found by the indentation of their lines. */
const declaredMembers = (types: string): readonly string[] => {
  const [, schemas = ''] =
    /^export interface components \{\n {4}schemas: \{\n([\s\S]*?)^ {4}\};/m.exec(types) ?? [];
  const open: { readonly indent: number; readonly name: string }[] = [];
  return [...schemas.matchAll(/^( {8,})"?([\w$.-]+)"?(\?)?: /gm)].flatMap(
    ([, spaces = '', name = '', mark = '']) => {
      const indent = spaces.length;
      while ((open.at(-1)?.indent ?? 0) >= indent) open.pop();
      open.push({ indent, name });
      return open.length > 1 ? [`${open.map((one) => one.name).join('.')}${mark}`] : [];
    },
  );
};

describe('the generated part of the client', () => {
  const document = openApiDocument();

  it('has the types of the present document; `make client-types` writes them anew', () => {
    const [, shape] = /^\/\/ Shape: (\w+)$/m.exec(readFileSync('src/client/schema.ts', 'utf8')) ?? [];
    expect(shape).toBe(shapeOf(document));
  });

  it('has the members of every schema, and requires those that the document requires', () => {
    const { schemas } = (document as { readonly components: { readonly schemas: Record<string, Schema> } })
      .components;
    const described = Object.entries(schemas).flatMap(([name, schema]) => membersOf(schema, name));
    const declared = declaredMembers(readFileSync('src/client/schema.ts', 'utf8'));
    expect(described.length).toBeGreaterThan(1_000);
    expect([...new Set(declared)].sort()).toEqual([...new Set(described)].sort());
  });

  it('has the operations of the present document', () => {
    expect(readFileSync('src/client/operations.ts', 'utf8')).toBe(operationsModule(document));
  });

  it('has another shape with another field, and the same with other words', () => {
    const of = (properties: object) => shapeOf({ components: { schemas: { Thing: { properties } } } });
    const one = of({ description: { type: 'string', description: 'Said so.' } });
    expect(of({ description: { type: 'string', description: 'Said otherwise.' } })).toBe(one);
    expect(of({ description: { type: 'number', description: 'Said so.' } })).not.toBe(one);
    expect(of({})).not.toBe(one);
  });
});
