type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Members with texts for people, whose change breaks no client. */
const WORDS = ['description', 'summary', 'examples', 'example'];

/**
 * Formats that only say what a text usually looks like. An answer that loses one may have more values, but no other
 * type.
 */
const LOOKS = ['uuid', 'uri'];

/**
 * An OpenAPI document in the form in which versions are compared: without texts and formats, and with one notation
 * where there are several. A schema that also allows null has the form `type: [T, 'null']`, whether or not it has a
 * name.
 */
export const comparable = (document: object): object => {
  const { schemas = {} } = ((document as Node).components ?? {}) as { readonly schemas?: Node };
  const convert = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(convert);
    if (!isNode(node)) return node;
    const members = Object.entries(simplified(node, schemas));
    // A property may have the name of such a member; its value is then a schema, and no text or list.
    const kept = members.filter(
      ([name, value]) =>
        isNode(value) || !(WORDS.includes(name) || (name === 'format' && LOOKS.includes(String(value)))),
    );
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
