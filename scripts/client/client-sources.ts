import { createHash } from 'node:crypto';

type Node = Readonly<Record<string, unknown>>;

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const PROSE = [
  'description',
  'summary',
  'examples',
  'example',
  'info',
  'tags',
  'servers',
  'links',
  'x-tagGroups',
  'x-codeSamples',
];

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** The document without texts for people. A property may be named `description`, so the properties of objects stay. */
const withoutProse = (node: unknown, ofProperties = false): unknown => {
  if (Array.isArray(node)) return node.map((one) => withoutProse(one));
  if (!isNode(node)) return node;
  return Object.fromEntries(
    Object.entries(node)
      .filter(([name]) => ofProperties || !PROSE.includes(name))
      .map(([name, value]) => [name, withoutProse(value, name === 'properties' && !ofProperties)]),
  );
};

/** A hash of the document's shape, which does not depend on its texts. */
export const shapeOf = (document: object): string =>
  createHash('sha256')
    .update(JSON.stringify(withoutProse(document)))
    .digest('hex');

/** The document for the type generator: texts about fields stay, but those about each operation's errors do not. */
export const forTypes = (document: object): object => {
  const { components, paths, webhooks, ...rest } = document as Readonly<Record<string, Node>>;
  const { schemas, ...others } = components as Node;
  return {
    ...rest,
    paths: withoutProse(paths),
    webhooks: withoutProse(webhooks),
    components: { ...(withoutProse(others) as object), schemas },
  };
};

/** A TypeScript module with the method and path of each operation. */
export const operationsModule = (document: object): string => {
  const { paths } = document as { readonly paths: Readonly<Record<string, Readonly<Record<string, Node>>>> };
  const lines = Object.entries(paths).flatMap(([path, operations]) =>
    METHODS.flatMap((method) => {
      const id = operations[method]?.operationId;
      return id === undefined ? [] : [`  ${id}: ['${method.toUpperCase()}', '${path}'],`];
    }),
  );
  return `${HEADER}export const OPERATIONS = {\n${lines.sort().join('\n')}\n} as const;\n`;
};

const HEADER = '// Generated from the OpenAPI document by `make client-types`.\n';

/** The module of the types, with the shape that they were generated from. */
export const schemaModule = (document: object, types: string): string =>
  `${HEADER}// Shape: ${shapeOf(document)}\n${types}`;
