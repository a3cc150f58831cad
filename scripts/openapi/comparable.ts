type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Members that are words for people: a change of them breaks no client. */
const WORDS = ['description', 'summary', 'examples', 'example'];

/**
 * An OpenAPI document as comparisons need it: without words, and one form for what can be written in several. A schema
 * beside null has the form `type: [T, 'null']`, whether or not the schema has a name.
 */
export const comparable = (document: object): object => {
  const { schemas = {} } = ((document as Node).components ?? {}) as { readonly schemas?: Node };
  const convert = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(convert);
    if (!isNode(node)) return node;
    const members = Object.entries(simplified(node, schemas));
    // A property may have the name of such a member: then there is a schema, and no text or list.
    const kept = members.filter(([name, value]) => !WORDS.includes(name) || isNode(value));
    return Object.fromEntries(kept.map(([name, value]) => [name, convert(value)]));
  };
  return convert(document) as object;
};

const simplified = (node: Node, schemas: Node): Node => {
  const { anyOf, ...rest } = node;
  if (!Array.isArray(anyOf)) return node;
  const distinct = anyOf.filter((one) => !(isEmptyText(one) && anyOf.some(takesEmptyText)));
  const [first, second] = distinct;
  if (distinct.length === 1) return { ...first, ...rest };
  const schema = resolved(first, schemas);
  if (distinct.length > 2 || second?.type !== 'null' || typeof schema?.type !== 'string') return node;
  const values = Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {};
  return { ...schema, ...rest, type: [schema.type, 'null'], ...values };
};

const isEmptyText = ({ enum: values }: Node): boolean =>
  Array.isArray(values) && values.length === 1 && values[0] === '';

const takesEmptyText = ({ type, pattern, minLength }: Node): boolean =>
  type === 'string' && typeof pattern === 'string' && minLength === undefined && new RegExp(pattern).test('');

const resolved = (schema: Node | undefined, schemas: Node): Node | undefined =>
  typeof schema?.$ref === 'string'
    ? (schemas[schema.$ref.split('/').at(-1) ?? ''] as Node | undefined)
    : schema;
