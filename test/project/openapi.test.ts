import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CREDENTIALS_FAULTS, GENERAL_FAULTS, type Refusal } from '../../src/kernel/errors.ts';
import { loadConfig } from '../../src/main/config.ts';
import { createContainer } from '../../src/main/container.ts';
import { createDocument as documentOf } from '../../src/main/document.ts';
import { refusalsOf } from '../../src/platform/http/openapi.ts';
import type { Route } from '../../src/platform/http/route.ts';
import * as platform from '../../src/platform/platform.module.ts';
import { proseFaults } from '../support/prose.ts';
import { REQUIRED_SETTINGS } from '../support/required-settings.ts';

let known: readonly Route[] | null = null;

/** Every route that there is; no store is needed to describe them, so none is reached. */
const routes = (): readonly Route[] => {
  if (known) return known;
  const container = createContainer(loadConfig({ ...REQUIRED_SETTINGS, NODE_ENV: 'test' }));
  container.get(platform.services).redis.disconnect();
  known = container.getAll(platform.routes).flat();
  return known;
};

const createDocument = (): object => documentOf(routes(), null);

type Node = Readonly<Record<string, unknown>>;
type Field = { readonly at: string; readonly description: unknown };

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** The properties, parameters and headers that a part of the document has itself. */
const ownFields = ({ properties, parameters, headers }: Node): readonly (readonly [string, unknown])[] => [
  ...Object.entries(properties ?? {}),
  ...(Array.isArray(parameters)
    ? parameters.map((one: Node) => [`${one.in} ${one.name}`, one] as const)
    : []),
  // A header that is referred to is described where it is defined.
  ...Object.entries(headers ?? {}).filter(([, header]) => !('$ref' in header)),
];

/** Fields of a part and of all parts within it; examples are no part, whatever their members are called. */
const fieldsIn = (node: unknown, at: string): readonly Field[] =>
  isNode(node)
    ? [
        ...ownFields(node).map(([name, field]) => ({
          at: `${at} ${name}`,
          description: isNode(field) && field.description,
        })),
        ...Object.entries(node).flatMap(([key, member]) =>
          key === 'examples' ? [] : fieldsIn(member, `${at}/${key}`),
        ),
      ]
    : [];

const undescribed = (document: object): readonly string[] =>
  fieldsIn(document, '')
    .filter(({ description }) => !description)
    .map(({ at }) => at);

const isRefusal = (value: unknown): value is Refusal =>
  typeof value === 'function' && 'sentence' in value && 'statusCode' in value;

/** Every refusal that a module declares in a file of its own. */
const declaredRefusals = async (): Promise<readonly Refusal[]> => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('/refusals.ts'),
  );
  const modules = await Promise.all(files.map((file) => import(join('../../src', file))));
  return modules.flatMap((module) => Object.values(module)).filter(isRefusal);
};

/** Every description and summary of a part of the document, with the place where it stands. */
const textsIn = (node: unknown, at: string): readonly (readonly [string, string])[] =>
  isNode(node)
    ? Object.entries(node).flatMap(([key, member]) => {
        if (key === 'examples') return [];
        const isText = (key === 'description' || key === 'summary') && typeof member === 'string';
        return isText ? [[at, member] as const] : textsIn(member, `${at}/${key}`);
      })
    : [];

describe('the OpenAPI document', () => {
  it('says everything in sentences that name their subject', () => {
    const faults = textsIn(createDocument(), '').flatMap(([at, text]) =>
      proseFaults(text).map((sentence) => `${at}: ${sentence}`),
    );
    expect(faults).toEqual([]);
  });

  it('names for some route every refusal that a module declares', async () => {
    const declared = await declaredRefusals();
    const named = new Set(refusalsOf(routes()));
    expect(declared.length).toBeGreaterThan(60);
    expect(declared.filter((one) => !named.has(one)).map(({ code }) => code)).toEqual([]);
  });

  it('enumerates the codes of all refusals and of credentials', () => {
    const { components } = createDocument() as { components: { schemas: { ErrorCode: { enum: string[] } } } };
    const declared = [...Object.keys(CREDENTIALS_FAULTS), ...Object.keys(GENERAL_FAULTS)];
    const codes = [...declared, ...refusalsOf(routes()).map(({ code }) => code)];
    expect(components.schemas.ErrorCode.enum.toSorted()).toEqual([...new Set(codes)].sort());
  });

  it('says how long each list of a body may be', () => {
    type Part = {
      readonly type?: string;
      readonly maxItems?: number;
      readonly $ref?: string;
    } & Readonly<Record<string, unknown>>;
    const document = createDocument() as {
      readonly components: { readonly schemas: Readonly<Record<string, Part>> };
      readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly requestBody?: object }>>>>;
    };
    const seen = new Set<unknown>();
    const endless = (part: unknown, place: string): readonly string[] => {
      if (typeof part !== 'object' || part === null || seen.has(part)) return [];
      seen.add(part);
      const { type, maxItems, $ref } = part as Part;
      const name = $ref?.slice($ref.lastIndexOf('/') + 1) ?? '';
      return [
        ...([type].flat().includes('array') && maxItems === undefined ? [place] : []),
        ...endless(document.components.schemas[name], name),
        ...Object.entries(part).flatMap(([key, inner]) =>
          key === 'examples' || key === 'example' ? [] : endless(inner, `${place}.${key}`),
        ),
      ];
    };
    const bodies = Object.values(document.paths).flatMap((operations) => Object.values(operations));
    expect(bodies.flatMap(({ requestBody }) => endless(requestBody, ''))).toEqual([]);
  });

  it('has one status for each code, but for the two of a merchant that is not active', () => {
    const statuses = new Map<string, Set<number>>();
    for (const { code, statusCode } of refusalsOf(routes()))
      statuses.set(code, (statuses.get(code) ?? new Set()).add(statusCode));
    const several = [...statuses].filter(([, some]) => some.size > 1);
    expect(several).toEqual([['MERCHANT_NOT_ACTIVE', new Set([403, 422])]]);
  });

  it('describes every property, parameter and header', () => {
    const document = createDocument();
    expect(fieldsIn(document, '').length).toBeGreaterThan(1_000);
    expect(undescribed(document)).toEqual([]);
  });

  it('would be caught with one that is not described', () => {
    const schema = { properties: { id: { type: 'string' }, name: { description: 'In full.' } } };
    const operation = { parameters: [{ in: 'query', name: 'page' }], examples: [schema] };
    expect(undescribed({ get: operation, schema })).toEqual(['/get query page', '/schema id']);
  });
});

describe('the order of the OpenAPI document', () => {
  it('follows the reader, with tags by audience and charges first', () => {
    const document = createDocument() as {
      tags: readonly { name: string; description: string }[];
      'x-tagGroups': readonly { name: string; tags: readonly string[] }[];
      paths: object;
    };
    const tags = document.tags.map(({ name }) => name);
    expect(new Set(tags)).toEqual(new Set(routes().flatMap(({ page, tag }) => (page ? [] : [tag]))));
    expect(document['x-tagGroups'].flatMap((group) => group.tags)).toEqual(tags);
    expect(document.tags.filter(({ description }) => !description)).toEqual([]);
    expect(Object.keys(document.paths)[0]).toBe('/v1/charges');
  });

  it('names the address of the API, licence and contact', () => {
    expect(createDocument()).toMatchObject({
      servers: [{ url: '/' }],
      info: { license: { identifier: 'Apache-2.0' }, contact: { name: expect.any(String) } },
    });
    expect(documentOf(routes(), 'https://pay.example')).toMatchObject({
      servers: [{ url: 'https://pay.example' }],
    });
  });
});

describe('names in the OpenAPI document', () => {
  type Content = { readonly content?: Readonly<Record<string, { readonly schema?: object }>> };
  type Operation = {
    readonly operationId: string;
    readonly requestBody?: Content;
    readonly responses: Readonly<Record<string, Content>>;
  };

  const operations = (): readonly Operation[] => {
    const { paths } = createDocument() as { paths: Readonly<Record<string, Record<string, Operation>>> };
    return Object.values(paths).flatMap((methods) => Object.values(methods));
  };

  it('are those that people say', () => {
    const names = operations().map(({ operationId }) => operationId);
    expect(names).toEqual(expect.arrayContaining(['createCharge', 'listCharges', 'approvePayoutRequest']));
    expect(names.filter((name) => !/^[a-z]+([A-Z][a-z]+)*$/.test(name) || name.includes('By'))).toEqual([]);
  });

  it('are there for every body', () => {
    const unnamed = operations().flatMap(({ operationId, requestBody, responses }) => {
      const successes = Object.entries(responses).flatMap(([status, one]) => (status < '300' ? [one] : []));
      const bodies = [requestBody, ...successes].flatMap((body) => body?.content?.['application/json'] ?? []);
      return bodies.every(({ schema }) => schema && '$ref' in schema) ? [] : [operationId];
    });
    expect(unnamed).toEqual([]);
  });

  it('are there for the variants of a payment method, which `type` tells apart', () => {
    const { components } = createDocument() as { components: { schemas: Record<string, object> } };
    expect(components.schemas).toMatchObject({
      PaymentMethodRequest: {
        discriminator: {
          propertyName: 'type',
          mapping: { pix: '#/components/schemas/PixPayment', voucher: '#/components/schemas/VoucherPayment' },
        },
      },
      PaymentMethod: { discriminator: { mapping: { pix: '#/components/schemas/PixPaymentMethod' } } },
      CardPayment: { required: expect.arrayContaining(['number', 'cvv']) },
    });
  });
});

describe('docs/guide/errors.md', () => {
  const page = readFileSync('docs/guide/errors.md', 'utf8').split('\n');

  it('has a row for each status of an error', () => {
    const { paths } = createDocument() as {
      paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: object }>>>>;
    };
    const described = Object.values(paths)
      .flatMap((operations) => Object.values(operations))
      .flatMap(({ responses }) => Object.keys(responses))
      .filter((status) => status >= '400');
    // No operation documents the status of a method that no operation has.
    const statuses = new Set([...described, '405']);
    const shown = page.flatMap((line) => /^\| (\d{3}) \|/.exec(line)?.[1] ?? []);
    expect(shown).toEqual([...statuses].sort());
  });

  it('has a row for each code with its statuses and sentences', () => {
    const sentences = new Map<string, { statuses: Set<number>; sentences: Set<string> }>();
    const credentials = Object.entries(CREDENTIALS_FAULTS).map(([code, sentence]) => ({
      code,
      sentence,
      statusCode: 401,
    }));
    const general = Object.entries(GENERAL_FAULTS).map(([code, fault]) => ({ code, ...fault }));
    for (const { code, statusCode, sentence } of [...credentials, ...general, ...refusalsOf(routes())]) {
      const row = sentences.get(code) ?? { statuses: new Set(), sentences: new Set() };
      sentences.set(code, row);
      row.statuses.add(statusCode);
      row.sentences.add(`${sentence}.`);
    }
    const rows = [...sentences].map(
      ([code, row]) =>
        `| \`${code}\` | ${[...row.statuses].sort().join(', ')} | ${[...row.sentences].join(' ')} |`,
    );
    expect(page.filter((line) => line.startsWith('| `'))).toEqual(rows.sort());
  });
});

describe('answers that are compressed', () => {
  /** Members that give rights to anybody who knows them. */
  const SECRET =
    /^(url|checkoutUrl|secretKey|secret|password|oneTimePassword|body|before|after)$|token$|codes$/i;
  /** Addresses of a merchant's own receivers, and what the request log has masked. */
  const HARMLESS = [
    'getChargeTimeline url',
    'getWebhookEndpoint url',
    'getWebhookEndpointAsOperator url',
    'listWebhookEndpoints url',
    'listWebhookEndpointsAsOperator url',
    'listRequests body',
    'listRequestsAsOperator body',
  ];

  it('hold no secret beside text of others', () => {
    const document = createDocument() as {
      readonly components: { readonly schemas: Readonly<Record<string, Node>> };
      readonly paths: Readonly<Record<string, { readonly get?: { readonly responses: Node } }>>;
    };
    const namesIn = (node: unknown, within: readonly string[]): readonly string[] => {
      if (!isNode(node)) return [];
      const name = typeof node.$ref === 'string' ? (node.$ref.split('/').at(-1) ?? '') : null;
      if (name !== null)
        return within.includes(name) ? [] : namesIn(document.components.schemas[name], [...within, name]);
      return [
        ...(isNode(node.properties) ? Object.keys(node.properties) : []),
        ...Object.entries(node).flatMap(([key, part]) => (key === 'examples' ? [] : namesIn(part, within))),
      ];
    };
    const found = routes()
      .filter(({ method, access, holdsSecret, page }) => method === 'get' && access && !holdsSecret && !page)
      .flatMap(({ operationId, path }) =>
        namesIn(document.paths[path]?.get?.responses['200'], [])
          .filter((name) => SECRET.test(name))
          .map((name) => `${operationId} ${name}`),
      );
    expect([...new Set(found)].filter((one) => !HARMLESS.includes(one))).toEqual([]);
    expect(HARMLESS.filter((one) => !found.includes(one))).toEqual([]);
  });
});
