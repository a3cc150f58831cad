import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type Joi from 'joi';
import { toJsonSchema } from './json-schema.ts';
import { characters, email, httpUrl, text, textOrNone } from './schemas.ts';

describe('descriptions of a schema', () => {
  it.each([
    [
      'an address on the web',
      httpUrl(),
      [
        ...['http://a', 'https://shop.example:8443/hooks?a=1#b', 'http://[::1]:80/', 'http://127.0.0.1'],
        ...['ftp://a', 'a', 'http://', 'http://user:secret@a/', 'http://user@a', 'https:a', 'http:///a'],
        ...['HTTPS://A.example', 'https://münchen.example:8443/ä'],
        `https://${'a'.repeat(300)}/`,
      ],
    ],
    [
      'an e-mail address',
      email(),
      ['a@b.c', 'ação@exemplo.com.br', 'a@b', 'a b@c.d', 'a@b..c', 'a@b.c\u0007'],
    ],
    ['characters', characters(3, 2), ['a', 'ab', 'abcd', '😀', '😀😀😀', '😀😀😀😀']],
    ['text', text(5), ['ação', 'a\u0000', 'a\u0085', 'a\nb', 'abcdef', 'a\u2028b']],
  ])('takes the same as %s', (_, schema, values) => {
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    const isDescribed = ajv.compile(toJsonSchema(schema, new Map()));
    for (const value of values)
      expect([value, isDescribed(value)]).toEqual([value, schema.validate(value).error === undefined]);
  });
});

describe('a text of a request', () => {
  const outcomeOf = (schema: Joi.Schema, given: string): unknown =>
    schema.validate(given, { convert: false }).value;
  const faultOf = (schema: Joi.Schema, given: string): string | undefined =>
    schema.label('name').validate(given, { convert: false, errors: { wrap: { label: false } } }).error
      ?.message;

  it('comes out in NFC and without outer blanks', () => {
    expect(outcomeOf(text(9), ' Conceic\u0327a\u0303o\u200b')).toBe('Conceição');
    expect(outcomeOf(email(), ' ana@example.com\n')).toBe('ana@example.com');
    expect(outcomeOf(textOrNone(9), ' a ')).toBe('a');
  });

  it.each([' ', '\u200b', '\u200e\u200f', '\u2060\u00ad'])(
    'has to have something to be seen: %j',
    (blank) => {
      expect(faultOf(text(9), blank)).toBe('name must have a character that can be seen');
      expect(faultOf(email(), blank)).toBe('name must have a character that can be seen');
      expect(outcomeOf(textOrNone(9), blank)).toBe('');
    },
  );

  it('is as long as it comes out', () => {
    expect(faultOf(text(9), '   Conceic\u0327a\u0303o   ')).toBeUndefined();
    expect(faultOf(text(8), 'Conceição')).toContain('length');
  });
});
