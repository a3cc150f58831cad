import { Ajv2020 } from 'ajv/dist/2020.js';
import Joi from 'joi';
import { type Components, FAULT_ONLY, toJsonSchema, toParameters } from './json-schema.ts';

const convert = (schema: Joi.Schema): object => toJsonSchema(schema, new Map());

const accepts = (schema: object, value: unknown): boolean =>
  new Ajv2020({ strict: false }).compile(schema)(value) as boolean;

/** The verdicts of the document's schema and of the validator for each value. */
const verdicts = (schema: Joi.Schema, values: readonly unknown[]): readonly (readonly [boolean, boolean])[] =>
  values.map((value) => [
    accepts(convert(schema), value),
    schema.validate(value, { convert: false }).error === undefined,
  ]);

describe('toJsonSchema', () => {
  it.each<readonly [string, Joi.Schema, readonly unknown[]]>([
    ['a string', Joi.string().max(3), ['a', '', 'abcd', 1, null]],
    ['a string that may be empty', Joi.string().allow(''), ['', 'a', null]],
    ['a pattern that may be empty', Joi.string().pattern(/^\d+$/).allow(''), ['', '1', 'a']],
    ['two patterns', Joi.string().pattern(/a/).pattern(/b/), ['ab', 'a', 'b']],
    ['a pattern that must not match', Joi.string().pattern(/a/, { invert: true }), ['a', 'b']],
    ['text without blanks around it', Joi.string().trim(), ['a b', ' a', 'a ', 'a\n', 'a']],
    ['letters and digits', Joi.string().alphanum(), ['a1', 'a-1']],
    ['hexadecimal digits', Joi.string().hex(), ['af09', 'g']],
    ['a choice', Joi.string().valid('a', 'b'), ['a', 'c', null]],
    ['a choice or null', Joi.string().valid('a', 'b').allow(null), ['a', 'c', null, '']],
    ['a choice of several types', Joi.valid('a', 1, true), ['a', 1, true, 2, 'true']],
    ['a nullable string', Joi.string().allow(null), ['a', null, 1]],
    ['a value beside the rules', Joi.number().min(5).allow('*', 1), [5, 1, '*', 2, '-']],
    ['a value that is refused', Joi.string().invalid('x'), ['x', 'y']],
    ['a number', Joi.number().greater(0).max(10), [0, 0.5, 10, 11, '5']],
    ['an integer', Joi.number().integer().min(1), [1, 1.5, 0]],
    ['a positive number', Joi.number().positive(), [0, 1]],
    ['a negative number', Joi.number().negative(), [0, -1]],
    ['a boolean', Joi.boolean(), [true, 'true', 0]],
    ['anything', Joi.any(), [1, 'a', null, {}]],
    [
      'an object',
      Joi.object({ a: Joi.string().required(), b: Joi.number() }),
      [{ a: 'x' }, {}, { a: 'x', c: 1 }],
    ],
    ['an empty object', Joi.object({}), [{}, { a: 1 }]],
    ['any object', Joi.object(), [{}, { a: 1 }, []]],
    ['an open object', Joi.object({ a: Joi.string() }).unknown(), [{ b: 1 }, { a: 1 }]],
    ['an object by pattern', Joi.object().pattern(/^x/, Joi.number()), [{ x1: 1 }, { x1: 'a' }, { y: 1 }]],
    ['a map', Joi.object().pattern(Joi.string(), Joi.number()), [{ a: 1 }, { a: 'a' }]],
    ['a nullable object', Joi.object({ a: Joi.string() }).allow(null), [null, { a: 'x' }, { a: 1 }]],
    ['a forbidden member', Joi.object({ a: Joi.forbidden() }), [{}, { a: 1 }]],
    ['an array', Joi.array().items(Joi.string()).min(1).max(2), [[], ['a'], ['a', 'b', 'c'], [1]]],
    ['an array of several types', Joi.array().items(Joi.string(), Joi.number()), [[1, 'a'], [true]]],
    [
      'an array without repetitions',
      Joi.array().items(Joi.string()).unique(),
      [
        ['a', 'b'],
        ['a', 'a'],
      ],
    ],
    [
      'a tuple',
      Joi.array().ordered(Joi.string().required(), Joi.number().required()),
      [
        ['a', 1],
        [1, 'a'],
      ],
    ],
    ['alternatives', Joi.alternatives(Joi.string(), Joi.number()).allow(null), ['a', 1, null, true]],
  ])('refuses and accepts what joi does: %s', (_name, schema, values) => {
    for (const [documented, validated] of verdicts(schema, values)) expect(documented).toBe(validated);
  });

  const conditional = Joi.object({
    type: Joi.string().valid('card', 'pix').required(),
    wallet: Joi.object(),
    number: Joi.string()
      .min(4)
      .when('type', {
        is: 'card',
        then: Joi.when('wallet', { is: Joi.exist(), then: Joi.forbidden(), otherwise: Joi.required() }),
        otherwise: Joi.forbidden(),
      }),
    expiry: Joi.number().when('type', {
      switch: [{ is: 'pix', then: Joi.number().max(60) }],
      otherwise: Joi.valid(0),
    }),
  });

  it('never refuses what joi accepts under a condition', () => {
    for (const value of [
      { type: 'card', number: '4242' },
      { type: 'card', wallet: {} },
      { type: 'pix', expiry: 60 },
      { type: 'card', number: '4242', expiry: 0 },
    ]) {
      expect(conditional.validate(value).error).toBeUndefined();
      expect(accepts(convert(conditional), value)).toBe(true);
    }
    expect(accepts(convert(conditional), { type: 'card', number: '42' })).toBe(false);
    expect(accepts(convert(conditional), { type: 'pix', expiry: 61 })).toBe(false);
  });

  it('offers both outcomes of an alternative that depends on its own shape', () => {
    const either = Joi.alternatives().conditional(Joi.object({ type: Joi.valid('a').required() }).unknown(), {
      then: Joi.object({ type: Joi.valid('a'), x: Joi.number() }),
      otherwise: Joi.object({ type: Joi.valid('b') }),
    });
    expect(accepts(convert(either), { type: 'a', x: 1 })).toBe(true);
    expect(accepts(convert(either), { type: 'b' })).toBe(true);
    expect(accepts(convert(either), { type: 'c' })).toBe(false);
  });

  it('leaves out what JSON Schema cannot say', () => {
    const schema = Joi.string()
      .pattern(/^abc$/i)
      .custom((value) => value);
    expect(convert(schema)).toEqual({ type: 'string', minLength: 1 });
  });

  it('tells descriptions, defaults, examples and formats', () => {
    const schema = Joi.string()
      .description('A time.')
      .default('now')
      .example('then')
      .meta({ format: 'date-time' });
    expect(convert(schema)).toEqual({
      type: 'string',
      minLength: 1,
      description: 'A time.',
      default: 'now',
      examples: ['then'],
      format: 'date-time',
    });
  });

  it('makes a component of what has a label in PascalCase, whatever is said about its use', () => {
    const money = Joi.object({ amount: Joi.number().required() }).label('Money');
    const components: Components = new Map();
    const schema = Joi.object({
      price: money.required().description('What it costs.'),
      discount: money.allow(null),
      other: Joi.array().items(money),
      brand: Joi.string().valid('visa', 'elo').label('Brand').allow(null),
      name: Joi.string().label('name'),
    });
    expect(toJsonSchema(schema, components)).toMatchObject({
      properties: {
        price: { $ref: '#/components/schemas/Money', description: 'What it costs.' },
        discount: { anyOf: [{ $ref: '#/components/schemas/Money' }, { type: 'null' }] },
        other: { items: { $ref: '#/components/schemas/Money' } },
        brand: { anyOf: [{ $ref: '#/components/schemas/Brand' }, { type: 'null' }] },
        name: { type: 'string' },
      },
      required: ['price'],
    });
    expect([...components]).toEqual([
      [
        'Money',
        {
          type: 'object',
          properties: { amount: { type: 'number' } },
          required: ['amount'],
          additionalProperties: false,
        },
      ],
      ['Brand', { type: 'string', enum: ['visa', 'elo'] }],
    ]);
  });

  it('refuses two schemas with one label', () => {
    const schema = Joi.object({ a: Joi.string().label('Name'), b: Joi.number().label('Name') });
    expect(() => convert(schema)).toThrow('two different schemas have the label Name');
  });

  it('leaves out an alternative that only says what is wrong', () => {
    const schema = Joi.alternatives().conditional('.type', {
      is: 'a',
      then: Joi.object({ type: Joi.valid('a'), x: Joi.number() }),
      otherwise: Joi.object({ type: Joi.valid('a') })
        .unknown()
        .tag(FAULT_ONLY),
    });
    expect(verdicts(schema, [{ type: 'a', x: 1 }, { type: 'b' }, { type: 'a', y: 1 }])).toEqual([
      [true, true],
      [false, false],
      [false, false],
    ]);
  });

  it('describes a file of a form', () => {
    expect(convert(Joi.binary())).toEqual({ type: 'string', format: 'binary' });
  });

  it('refuses a type that has no JSON form', () => {
    expect(() => convert(Joi.date())).toThrow('a schema of type date has no form');
  });

  it('lists query parameters by their names, operators included', () => {
    const schema = Joi.object({ id: Joi.string().required(), 'createdAt[gte]': Joi.string() }).custom(
      (value) => value,
    );
    expect(toParameters(schema, new Map())).toEqual([
      { name: 'id', required: true, schema: { type: 'string', minLength: 1 } },
      { name: 'createdAt[gte]', required: false, schema: { type: 'string', minLength: 1 } },
    ]);
  });

  it('tells alternatives apart by the member that has one value in each of them', () => {
    const byType = (type: string, label: string) =>
      Joi.object({ type: Joi.valid(type).required(), live: Joi.valid('no').required() }).label(label);
    const card = Joi.alternatives(byType('card', 'Card'), byType('card', 'Wallet')).meta({
      title: 'CardOrWallet',
    });
    expect(convert(Joi.alternatives(byType('pix', 'Pix'), card))).toEqual({
      anyOf: [{ $ref: '#/components/schemas/Pix' }, { $ref: '#/components/schemas/CardOrWallet' }],
      discriminator: {
        propertyName: 'type',
        mapping: { pix: '#/components/schemas/Pix', card: '#/components/schemas/CardOrWallet' },
      },
    });
    expect(convert(Joi.alternatives(byType('pix', 'Pix'), byType('pix', 'Other')))).not.toHaveProperty(
      'discriminator',
    );
  });
});
