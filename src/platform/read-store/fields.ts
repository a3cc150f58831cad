import type { estypes } from '@elastic/elasticsearch';
import type { Resource } from '../../kernel/event.ts';
import { exponentOf, type Minor, toDecimal } from '../../kernel/money.ts';
import { fold } from '../../kernel/text.ts';

/** Amounts of different currencies are compared as decimals, so they are indexed with this many digits as well. */
export const COMPARABLE_DECIMALS = 4;

/**
 * A field of a view's documents, named once. It has an index mapping, the source of its value and its form in answers.
 * The name of the field is that of the resource's member, unless `from` computes the value.
 */
export type Field = {
  /** Decides how lists sort and filter by it; `object` and `stored` fields are not searched themselves. */
  readonly kind:
    | 'keyword'
    | 'name'
    | 'flag'
    | 'date'
    | 'number'
    | 'money'
    | 'decimal'
    | 'words'
    | 'object'
    | 'stored';
  /** Null where documents hold it and nothing searches it. */
  readonly mapping: estypes.MappingProperty | null;
  /** Indexed parts of it; lists name them `field.part`. */
  readonly parts?: Fields;
  readonly from?: (resource: never) => unknown;
  readonly show?: (value: never, currency: string) => unknown;
  readonly hidden?: true;
};
export type Fields = Readonly<Record<string, Field>>;

type KeywordOptions = Pick<estypes.MappingKeywordProperty, 'ignore_above' | 'normalizer'>;

/** Ids, codes and statuses: whole values. */
export const keyword = (options: KeywordOptions = {}) =>
  ({ kind: 'keyword', mapping: { type: 'keyword', ...options } }) as const;
/** Text that somebody wrote, found by the whole of it up to this length. */
export const line = (length = 256) => keyword({ ignore_above: length });
/** Addresses are found in upper and lower case alike. */
export const emailAddress = () => keyword({ ignore_above: 256, normalizer: 'lowercase' });
export const flag = () => ({ kind: 'flag', mapping: { type: 'boolean' } }) as const;
export const date = () => ({ kind: 'date', mapping: { type: 'date' } }) as const;
export const integer = () => ({ kind: 'number', mapping: { type: 'long' } }) as const;
const WORDS = { type: 'text', analyzer: 'words', norms: false, index_options: 'docs' } as const;
/** Text that is searched by its words, without regard to case and accents. */
export const words = () => ({ kind: 'words', mapping: WORDS }) as const;
/**
 * A name of somebody or something. It is sorted, and searched by its words, without regard to case and accents: the
 * document has it a second time, folded.
 */
export const name = () => ({ kind: 'name', mapping: null }) as const;
/** An amount in minor units of the document's `currency`; answers show it as a decimal. */
export const money = () => ({ kind: 'money', mapping: { type: 'long' } }) as const;
/** Such an amount that nothing searches. */
export const decimal = () => ({ kind: 'decimal', mapping: null }) as const;
/** A value that nothing searches. */
export const stored = () => ({ kind: 'stored', mapping: null }) as const;

/** An object, of which some parts are indexed. */
export const object = <const P extends Fields>(parts: P) =>
  ({ kind: 'object', mapping: { properties: mappingOf(parts) }, parts }) as const;

/** A field with a value of its own. */
export const from = <const F extends Field, T, V>(field: F, of: (resource: T) => V) =>
  ({ ...field, from: of }) as const;
/** A field with the form in which answers show it. */
export const shown = <const F extends Field, V, S>(field: F, show: (value: V, currency: string) => S) =>
  ({ ...field, show }) as const;
/** A value that documents hold as a JSON text. */
export const json = () =>
  shown(stored(), (text: string | null): unknown => (text === null ? null : JSON.parse(text)));
/** A field that is searched but in no answer. */
export const hidden = <const F extends Field>(field: F) => ({ ...field, hidden: true }) as const;

/** Several fields of one kind. */
export const each = <const F extends Field, const N extends string>(
  field: F,
  ...names: readonly N[]
): Readonly<Record<N, F>> => Object.fromEntries(names.map((name) => [name, field])) as Record<N, F>;

/** Owner and environment of a merchant's record. */
export const ofMerchant = { merchantId: keyword(), masterId: hidden(keyword()), livemode: flag() } as const;

/** When a record was made and changed last. */
export const timestamps = { createdAt: date(), updatedAt: date() } as const;

type Value<T, F extends Fields, K extends keyof F> = F[K] extends {
  readonly from: (resource: never) => infer V;
}
  ? V
  : K extends keyof T
    ? T[K]
    : never;

/** The values of these fields. */
export type ValuesOf<T, F extends Fields> = { readonly [K in keyof F & string]: Value<T, F, K> };

type Amounts<F extends Fields> = {
  [K in keyof F & string]: F[K] extends { readonly kind: 'money' } ? K : never;
}[keyof F & string];

/** A document with these fields. */
export type DocumentOf<T, F extends Fields> = ValuesOf<T, F> & { readonly id: string } & ([
    Amounts<F>,
  ] extends [never]
    ? unknown
    : { readonly comparable: Readonly<Record<Amounts<F>, number>> });

type ShownValue<F extends Field, V> = F extends {
  readonly show: (value: never, currency: string) => infer S;
}
  ? S
  : F extends { readonly kind: 'money' | 'decimal' }
    ? number | Extract<V, null>
    : V;

/** The public form of such a document. */
export type AnswerOf<T, F extends Fields> = {
  readonly [K in keyof F & string as F[K] extends { readonly hidden: true } ? never : K]: ShownValue<
    F[K],
    Value<T, F, K>
  >;
};

/** Names of fields, and of parts of them, that a search may name. */
type Searched<F extends Fields, Kinds extends Field['kind']> = {
  [K in keyof F & string]:
    | (F[K]['kind'] extends Kinds ? K : never)
    | (F[K] extends { readonly parts: infer P extends Fields } ? `${K}.${Searched<P, Kinds>}` : never);
}[keyof F & string];
export type SortField<F extends Fields> = Searched<
  F,
  'keyword' | 'name' | 'flag' | 'date' | 'number' | 'money'
>;
export type FilterField<F extends Fields> = Searched<
  F,
  'keyword' | 'name' | 'flag' | 'date' | 'money' | 'words'
>;

/** Fields that the resource has, or that are computed: the compiler refuses all others. */
export type FieldsOf<T, F extends Fields> = F & {
  readonly [K in keyof F]: K extends keyof T ? unknown : { readonly from: (resource: T) => unknown };
};

/** The field of a name such as `customer.name`. */
export const fieldOf = (fields: Fields, name: string): Field => {
  const [first = '', ...rest] = name.split('.');
  const field = fields[first];
  if (!field) throw new Error(`no field ${name}`);
  return rest.length === 0 ? field : fieldOf(field.parts ?? {}, rest.join('.'));
};

const isMoney = ([, { kind }]: readonly [string, Field]): boolean => kind === 'money';

export const mappingOf = (fields: Fields): Record<string, estypes.MappingProperty> => {
  const entries = Object.entries(fields);
  const compared = entries.filter(isMoney).map(([name]) => [name, { type: 'long' }]);
  return {
    ...Object.fromEntries(entries.flatMap(([name, { mapping }]) => (mapping ? [[name, mapping]] : []))),
    ...(compared.length > 0 ? { comparable: { properties: Object.fromEntries(compared) } } : {}),
  };
};

type Members = Readonly<Record<string, unknown>> & { readonly currency?: unknown };

/** The paths of all names, also of those within objects. */
const namesIn = (fields: Fields, before: readonly string[] = []): readonly (readonly string[])[] =>
  Object.entries(fields).flatMap(([member, { kind, parts }]) =>
    kind === 'name' ? [[...before, member]] : namesIn(parts ?? {}, [...before, member]),
  );

/** The engine takes a key of so many characters, whatever they are; folding makes some of a name into several. */
const LONGEST_KEY = 8_191;

/** Mapping of folded names, each of which is one key below `folded`. */
export const foldedMappingOf = (fields: Fields): Record<string, estypes.MappingProperty> => {
  const names = namesIn(fields).map((path) => [
    path.join('_'),
    { type: 'keyword', ignore_above: LONGEST_KEY, fields: { words: WORDS } },
  ]);
  return names.length === 0 ? {} : { folded: { properties: Object.fromEntries(names) } };
};

/** Where an index has a name. */
export const foldedPath = (name: string): string => `folded.${name.replaceAll('.', '_')}`;

const foldedIn = (fields: Fields, document: object): object => {
  const names = namesIn(fields).map((path) => {
    const value = path.reduce<unknown>((within, member) => (within as Members | null)?.[member], document);
    return [path.join('_'), typeof value === 'string' ? fold(value) : null] as const;
  });
  return names.length === 0 ? {} : { folded: Object.fromEntries(names) };
};

/**
 * The document of a resource. Amounts are in it a second time, with the same digits for every currency, and names
 * folded.
 */
export const toDocument = (fields: Fields, resource: Resource): object => {
  const members = resource as unknown as Members;
  const document: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = field.from ? field.from(resource as never) : members[name];
    document[name] = field.kind === 'words' && typeof value === 'string' ? fold(value) : value;
  }
  Object.assign(document, foldedIn(fields, document));
  const amounts = Object.entries(fields).filter(isMoney);
  if (amounts.length === 0) return document;
  const factor = 10 ** (COMPARABLE_DECIMALS - exponentOf(String(document.currency)));
  const comparable = Object.fromEntries(amounts.map(([name]) => [name, Number(document[name]) * factor]));
  return { ...document, comparable };
};

/** The public form of a document. */
export const present = (fields: Fields, document: object): object => {
  const members = document as Members;
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) =>
      field.hidden ? [] : [[name, shownValue(field, members[name], members.currency)]],
    ),
  );
};

const shownValue = ({ kind, show }: Field, value: unknown, currency: unknown): unknown => {
  if (show) return show(value as never, String(currency));
  if ((kind !== 'money' && kind !== 'decimal') || value === null) return value;
  return toDecimal(value as Minor, String(currency));
};
