import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { openApiDocument } from '../../scripts/openapi-document.ts';

type Node = Readonly<Record<string, unknown>>;
type Media = {
  readonly schema?: Node;
  readonly examples?: Readonly<Record<string, { readonly value: Node }>>;
};
type Content = Readonly<Record<string, Media>>;
type Described = { readonly $ref?: string; readonly content?: Content };
type Operation = {
  readonly operationId: string;
  readonly requestBody?: Described;
  readonly responses: Readonly<Record<string, Described>>;
};
type Webhook = { readonly post: { readonly requestBody: { readonly content: Content } } };
type Document = {
  readonly webhooks: Readonly<Record<string, Webhook>>;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly responses: Readonly<Record<string, Described>>;
    readonly schemas: Readonly<Record<string, Node>>;
  };
};

const document = openApiDocument() as Document;
const ajv = new Ajv2020({ strict: false, allErrors: true, multipleOfPrecision: 8 });
addFormats.default(ajv);
for (const name of ['time-zone', 'binary']) ajv.addFormat(name, true);
ajv.addSchema(document, 'openapi');

const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
const resolved = (described: Described): Described =>
  described.$ref ? (document.components.responses[described.$ref.split('/').at(-1) ?? ''] ?? {}) : described;

const sent = Object.entries(document.webhooks).flatMap(([kind, { post }]) => {
  const media = post.requestBody.content['application/json'];
  return media ? [{ at: kind, status: 'sent', media }] : [];
});

/** Every body in JSON, with the place where it stands. */
const bodies = [
  ...sent,
  ...operations.flatMap(({ operationId, requestBody, responses }) =>
    Object.entries({ request: requestBody ?? {}, ...responses }).flatMap(([status, described]) => {
      const media = resolved(described).content?.['application/json'];
      return media ? [{ at: `${operationId} ${status}`, status, media }] : [];
    }),
  ),
];

const valuesOf = ({ examples = {} }: Media): readonly Node[] =>
  Object.values(examples).map(({ value }) => value);

/** A request that no test sends this way has those of its schema. */
const isShown = ({ examples, schema }: Media): boolean => {
  const name = String(schema?.$ref).split('/').at(-1) ?? '';
  return examples !== undefined || document.components.schemas[name]?.examples !== undefined;
};

/** References of a schema are to the whole document. */
const schemaOf = (schema: Node | undefined): Node =>
  JSON.parse(JSON.stringify(schema ?? {}).replaceAll('"#/', '"openapi#/'));

describe('examples of the OpenAPI document', () => {
  it('are there for every request, every answer and every error in JSON', () => {
    const without = bodies.filter(({ media }) => !isShown(media)).map(({ at }) => at);
    expect(bodies.length).toBeGreaterThan(1_000);
    expect(without).toEqual([]);
  });

  it('are there for each code of an error', () => {
    const unshown = bodies.flatMap(({ at, media }) => {
      const { enum: codes = [] } = ((media.schema?.properties as Node)?.code ?? {}) as { enum?: string[] };
      return codes.filter((code) => !media.examples?.[code]).map((code) => `${at} ${code}`);
    });
    expect(unshown).toEqual([]);
  });

  it('are as their schemas say, and errors have the status under which they stand', () => {
    const wrong = bodies.flatMap(({ at, status, media }) => {
      const validate = ajv.compile(schemaOf(media.schema));
      return valuesOf(media).flatMap((value) => [
        ...(validate(value) ? [] : [`${at}: ${ajv.errorsText(validate.errors)}`]),
        ...(status >= '400' && status < '600' && String(value.statusCode) !== status
          ? [`${at}: other status`]
          : []),
      ]);
    });
    expect(wrong).toEqual([]);
  });

  it('of webhooks are of the kind under which they stand', () => {
    const kinds = sent.flatMap(({ media }) =>
      valuesOf(media).map(({ event }) => event ?? 'account.status_changed'),
    );
    expect(kinds).toEqual(Object.keys(document.webhooks));
  });

  it('hold nothing of the machine that recorded them, and no key', () => {
    const text = JSON.stringify(bodies.map(({ media }) => media.examples));
    expect(text).not.toMatch(/127\.0\.0\.1:\d|localhost:\d|\/tmp\//);
    const keys = text.match(/[ps]k_(test|live)_\w+/g) ?? [];
    expect(keys.filter((key) => !key.includes('Example'))).toEqual([]);
  });
});
