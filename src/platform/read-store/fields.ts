import type { estypes } from '@elastic/elasticsearch';
import type { Resource } from '../../kernel/event.ts';
import { exponentOf, type Minor, toDecimal } from '../../kernel/money.ts';
import { fold } from '../../kernel/text.ts';

/** Amounts of different currencies are compared as decimals, so they are also indexed with this many digits. */
export const COMPARABLE_DECIMALS = 4;

/**
 * A field of a view's documents: its index mapping, the source of its value and its form in answers. Its value is the
 * resource's member of the same name, unless `from` computes it.
 */
export type Field = {
  /** Determines how lists sort and filter by the field; `object` and `stored` fields are not searched themselves. */
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
  /** Null where documents contain the field but it is not indexed. */
  readonly mapping: estypes.MappingProperty | null;
  /** Indexed parts of the field; lists name them `field.part`. */
  readonly parts?: Fields;
  readonly from?: (resource: never) => unknown;
  readonly show?: (value: never, currency: string) => unknown;
  readonly hidden?: true;
};
export type Fields = Readonly<Record<string, Field>>;

type KeywordOptions = Pick<estypes.MappingKeywordProperty, 'ignore_above' | 'normalizer'>;

/** Ids, codes and statuses, which are searched as a whole. */
export const keyword = (options: KeywordOptions = {}) =>
  ({ kind: 'keyword', mapping: { type: 'keyword', ...options } }) as const;
/** A text that is searched as a whole, up to this length. */
export const line = (length = 256) => keyword({ ignore_above: length });
/** E-mail addresses, which are searched without regard to case. */
export const emailAddress = () => keyword({ ignore_above: 256, normalizer: 'lowercase' });
export const flag = () => ({ kind: 'flag', mapping: { type: 'boolean' } }) as const;
export const date = () => ({ kind: 'date', mapping: { type: 'date' } }) as const;
export const integer = () => ({ kind: 'number', mapping: { type: 'long' } }) as const;
const WORDS = { type: 'text', analyzer: 'words', norms: false, index_options: 'docs' } as const;
/** Text that is searched by its words, without regard to case and accents. */
export const words = () => ({ kind: 'words', mapping: WORDS }) as const;
/**
 * A name of somebody or something. It is sorted and searched by its words, both without regard to case and accents, for
 * which documents also contain it in folded form.
 */
export const name = () => ({ kind: 'name', mapping: null }) as const;
/** An amount in minor units of the document's `currency`; answers show it as a decimal. */
export const money = () => ({ kind: 'money', mapping: { type: 'long' } }) as const;
/** An amount that is not searched. */
export const decimal = () => ({ kind: 'decimal', mapping: null }) as const;
/** A value that is not searched. */
export const stored = () => ({ kind: 'stored', mapping: null }) as const;

/** An object with some indexed parts. */
export const object = <const P extends Fields>(parts: P) =>
  ({ kind: 'object', mapping: { properties: mappingOf(parts) }, parts }) as const;

/** A field whose value is computed. */
export const from = <const F extends Field, T, V>(field: F, of: (resource: T) => V) =>
  ({ ...field, from: of }) as const;
/** A field whose form in answers differs from its stored one. */
export const shown = <const F extends Field, V, S>(field: F, show: (value: V, currency: string) => S) =>
  ({ ...field, show }) as const;
/** A value that documents contain as JSON text. */
export const json = () =>
  shown(stored(), (text: string | null): unknown => (text === null ? null : JSON.parse(text)));
/** A field that is searched but not shown in answers. */
export const hidden = <const F extends Field>(field: F) => ({ ...field, hidden: true }) as const;

/** Several fields of one kind. */
export const each = <const F extends Field, const N extends string>(
  field: F,
  ...names: readonly N[]
): Readonly<Record<N, F>> => Object.fromEntries(names.map((name) => [name, field])) as Record<N, F>;

/** Owner and environment of a merchant's record. */
export const ofMerchant = { merchantId: keyword(), masterId: hidden(keyword()), livemode: flag() } as const;

/** When a record was created and last changed. */
export const timestamps = { createdAt: date(), updatedAt: date() } as const;

type Value<T, F extends Fields, K extends keyof F> = F[K] extends {
  readonly from: (resource: never) => infer V;
}
  ? V
  : K extends keyof T
    ? T[K]
    : never;

/** The values of these fields in documents. */
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

/** The form of such a document in answers. */
export type AnswerOf<T, F extends Fields> = {
  readonly [K in keyof F & string as F[K] extends { readonly hidden: true } ? never : K]: ShownValue<
    F[K],
    Value<T, F, K>
  >;
};

/** Names of fields and of their parts that a search may name. */
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

/** Fields that are members of the resource or computed; the compiler refuses all others. */
export type FieldsOf<T, F extends Fields> = F & {
  readonly [K in keyof F]: K extends keyof T ? unknown : { readonly from: (resource: T) => unknown };
};

/** The field with a name such as `customer.name`. */
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

/** The paths of all fields of kind `name`, including those within objects. */
const namesIn = (fields: Fields, before: readonly string[] = []): readonly (readonly string[])[] =>
  Object.entries(fields).flatMap(([member, { kind, parts }]) =>
    kind === 'name' ? [[...before, member]] : namesIn(parts ?? {}, [...before, member]),
  );

/** The engine accepts keys of up to this many characters; folding may turn one character of a name into several. */
const LONGEST_KEY = 8_191;

/** Mapping of the folded names, each of which is a keyword below `folded`. */
export const foldedMappingOf = (fields: Fields): Record<string, estypes.MappingProperty> => {
  const names = namesIn(fields).map((path) => [
    path.join('_'),
    { type: 'keyword', ignore_above: LONGEST_KEY, fields: { words: WORDS } },
  ]);
  return names.length === 0 ? {} : { folded: { properties: Object.fromEntries(names) } };
};

/** The path of a folded name in an index. */
export const foldedPath = (name: string): string => `folded.${name.replaceAll('.', '_')}`;

const foldedIn = (fields: Fields, document: object): object => {
  const names = namesIn(fields).map((path) => {
    const value = path.reduce<unknown>((within, member) => (within as Members | null)?.[member], document);
    return [path.join('_'), typeof value === 'string' ? fold(value) : null] as const;
  });
  return names.length === 0 ? {} : { folded: Object.fromEntries(names) };
};

/**
 * The document of a resource. Amounts are in it a second time with the same number of digits for every currency, and
 * names a second time in folded form.
 */
export const toDocument = (fields: Fields, resource: Resource): object => {
  const members: Members = resource;
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

/** The form of a document in answers. */
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
