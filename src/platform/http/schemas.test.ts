import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { toJsonSchema } from './json-schema.ts';
import { characters, email, httpUrl, text } from './schemas.ts';

describe('descriptions of a schema', () => {
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
