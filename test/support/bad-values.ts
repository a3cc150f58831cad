import fc from 'fast-check';

/** JSON as text, because it may contain values that JavaScript cannot hold, such as numbers beyond all bounds. */
type Json = string;

const text = fc
  .oneof(
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.constantFrom(
      '',
      ' ',
      '\u0000',
      'a\u0000b',
      '\ud800',
      '\udfff lone',
      '\uffff',
      '\u202etxt',
      'x'.repeat(300),
      'ç'.repeat(70_000),
      '__proto__',
      'constructor',
      '$where',
      '{"$ne":1}',
      '#{7*7}',
      '../../etc/passwd',
      '2026-02-30',
      'NaN',
      '1e999',
      'null',
      'true',
      "' OR 1=1 --",
    ),
  )
  .map((value) => JSON.stringify(value));

const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  fc.integer().map(String),
  fc.constantFrom(
    '0',
    '-0',
    '1e400',
    '-1e400',
    '1e308',
    '5e-324',
    '9007199254740993',
    '1e21',
    '1e-7',
    '0.1e1',
    '-1',
  ),
  fc.nat(400).map((digits) => `1${'0'.repeat(digits)}`),
);

const key = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 10 }),
    fc.constantFrom(
      '__proto__',
      'constructor',
      'prototype',
      'toString',
      '$set',
      '$where',
      'a.b',
      '.',
      '',
      '\u0000',
      '\ud800',
      'id',
      '_id',
      'secret',
      'length',
    ),
  )
  .map((value) => JSON.stringify(value));

const nested = fc
  .tuple(fc.constantFrom('[', '{"a":'), fc.constantFrom(1, 5, 31, 32, 33, 101, 3_000))
  .map(([open, depth]) => `${open.repeat(depth)}1${(open === '[' ? ']' : '}').repeat(depth)}`);

/** Any JSON: wrong types, extreme values, odd texts and names, deep nesting. */
export const anyJson: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom('null', 'true', 'false', '[]', '{}'),
    text,
    number,
    nested,
    fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
    fc
      .array(fc.tuple(key, tie('value')), { maxLength: 4 })
      .map((members) => `{${members.map(([name, value]) => `${name}:${value}`).join(',')}}`),
  ),
})).value;

/** A marker that JSON.stringify keeps, and that is replaced by raw text afterwards. */
const MARK = '@@raw@@';

type Mutation = {
  readonly at: number;
  readonly how: 'replace' | 'add' | 'remove';
  readonly name: Json;
  readonly value: Json;
};

const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.nat(1_000),
  how: fc.constantFrom('replace', 'replace', 'replace', 'add', 'remove'),
  name: key,
  value: anyJson,
});

/** Every place in a JSON value, as the object that contains it and its name there. */
const placesIn = (root: object): { readonly parent: Record<string, unknown>; readonly name: string }[] =>
  Object.entries(root).flatMap(([name, value]) => [
    { parent: root as Record<string, unknown>, name },
    ...(typeof value === 'object' && value !== null ? placesIn(value) : []),
  ]);

/** A valid body with one to three changes: members are replaced or removed, or foreign ones are added. */
export const brokenBodyOf = (valid: object): fc.Arbitrary<Json> =>
  fc.array(mutation, { minLength: 1, maxLength: 3 }).map((mutations) => {
    const root = structuredClone({ body: valid });
    const raw: Json[] = [];
    for (const { at, how, name, value } of mutations) {
      const places = placesIn(root);
      const place = places[at % places.length];
      if (!place) break;
      const target = place.parent[place.name];
      if (how === 'remove' && place.parent !== (root as object)) delete place.parent[place.name];
      else if (how === 'add' && typeof target === 'object' && target !== null) {
        (target as Record<string, unknown>)[`${MARK}${raw.length}`] = MARK;
        raw.push(`${name}:${value}`);
      } else {
        place.parent[place.name] = `${MARK}${raw.length}`;
        raw.push(value);
      }
    }
    const marked = JSON.stringify(root.body) ?? 'null';
    return raw.reduce(
      (json, part, index) => json.replace(new RegExp(`"${MARK}${index}"(:"${MARK}")?`), () => part),
      marked,
    );
  });

const queryValue = fc.oneof(
  fc
    .string({ unit: 'binary', maxLength: 30 })
    .map((value) => encodeURIComponent(value.replaceAll(/\p{Surrogate}/gu, '?'))),
  fc.constantFrom(
    ...[
      '',
      '0',
      '1',
      '-1',
      '1e9',
      '99999999999999999999',
      '9007199254740993',
      '0.1',
      'null',
      '%00',
      '%',
      '%zz',
      '%ff',
    ],
    ...[
      '%ED%A0%80',
      '+',
      'a%20b',
      '2026-01-01',
      '2026-13-45',
      '0000-00-00',
      '9999-12-31T23:59:59.999999999Z',
    ],
    ...[
      '-',
      '--id',
      'id,-amount',
      'amount,,id',
      'id,id',
      'paid',
      '%5B%5D',
      '{"$ne":1}',
      '*',
      '"',
      '\\',
      'x%0d%0aSet-Cookie:a',
    ],
    ...['0001-01-01', '+010000-01-01', '2026-01-01T00:00:00%2B99:99', '1'.repeat(400), 'x'.repeat(3_000)],
  ),
);

/** Query strings with these parameters and others, and with any values. */
export const anyQuery = (names: readonly string[]): fc.Arbitrary<string> => {
  const name = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...names).map(encodeURIComponent) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '__proto__',
        'constructor',
        'a[b][c]',
        'page[]',
        'amount[ne]',
        '$where',
        '',
        '%00',
        'é',
      ),
    },
  );
  const parameter = fc.tuple(name, queryValue).map(([left, right]) => `${left}=${right}`);
  return fc.array(parameter, { minLength: 1, maxLength: 4 }).map((parameters) => parameters.join('&'));
};
