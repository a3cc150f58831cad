import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { toJsonSchema } from './json-schema.ts';
import { characters, email, freeText, httpUrl, text } from './schemas.ts';

const faultOf = (value: string): string | undefined =>
  freeText(1024)
    .label('reason')
    .validate(value, { errors: { wrap: { label: false } } }).error?.message;

describe('free text', () => {
  it.each([
    '4242424242424242',
    'paid with 4242 4242 4242 4242, sent back',
    '4242-4242-4242-4242',
    '3782.822463.10005',
    '4242  4242 4242 4242',
    'order 17 4111111111111111',
    'from 5555555555554444 to 4242424242424242',
    'card:6362970000457013.',
  ])('may not hold a card number: %s', (value) => {
    expect(faultOf(value)).toBe('reason must not contain a card number');
  });

  it.each([
    '',
    'sent back',
    'the card ending in 4242',
    '4242424242424241',
    'call 55 11 98765-4321 from 9 to 18',
    'order 20261121230015',
    '12.345.678/0001-95',
    '2026-11-21T23:05:00.000Z',
    '1'.repeat(500),
  ])('may hold other numbers: %s', (value) => {
    expect(freeText(1024).allow('').validate(value).error).toBeUndefined();
  });

  it('is no id', () => {
    expect(text(64).validate('4242424242424242').error).toBeUndefined();
  });
});

describe('what a schema is described by', () => {
  it.each([
    [
      'an address on the web',
      httpUrl(),
      [
        ...['http://a', 'https://shop.example:8443/hooks?a=1#b', 'http://[::1]:80/', 'http://127.0.0.1'],
        ...['ftp://a', 'a', 'http://', 'http://user:secret@a/', 'http://user@a', 'https:a', 'http:///a'],
        `https://${'a'.repeat(300)}/`,
      ],
    ],
    [
      'an e-mail address',
      email(),
      ['a@b.c', 'ação@exemplo.com.br', 'a@b', 'a b@c.d', 'a@b..c', 'a@b.c\u0007'],
    ],
    ['characters', characters(3, 2), ['a', 'ab', 'abcd', '😀', '😀😀😀', '😀😀😀😀']],
    ['text', text(5), ['ação', 'a\u0000', 'a\u0085', 'a\nb', 'abcdef', '\u2028']],
  ])('takes the same as %s', (_, schema, values) => {
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    const isDescribed = ajv.compile(toJsonSchema(schema, new Map()));
    for (const value of values)
      expect([value, isDescribed(value)]).toEqual([value, schema.validate(value).error === undefined]);
  });
});
