import { comparable } from './comparable.ts';

const TEXT = { type: 'string', maxLength: 9, pattern: '^[a-z]*$' };

/** A document with one request body, whose member has this schema. */
const documentOf = (member: object): object => ({
  paths: {
    '/v1/things': { post: { summary: 'Create', requestBody: { properties: { description: member } } } },
  },
  components: { schemas: { Brand: { type: 'string', enum: ['visa', 'elo'] }, Text: TEXT } },
});

const memberOf = (document: object): unknown => {
  const { paths } = comparable(document) as {
    paths: { '/v1/things': { post: { requestBody: { properties: object } } } };
  };
  return paths['/v1/things'].post.requestBody.properties;
};
const compared = (member: object): unknown => memberOf(documentOf(member));

describe('two versions of the OpenAPI document', () => {
  it('are equal but for words', () => {
    expect(compared({ ...TEXT, description: 'Name.', examples: ['ana'] })).toEqual({ description: TEXT });
    expect(JSON.stringify(comparable(documentOf(TEXT)))).not.toContain('summary');
  });

  it('are equal where a schema beside null has a name in one of them', () => {
    const named = { anyOf: [{ $ref: '#/components/schemas/Brand' }, { type: 'null' }], default: null };
    const inline = { type: ['string', 'null'], enum: ['visa', 'elo', null], default: null };
    expect(compared(named)).toEqual(compared(inline));
  });

  it('are equal where the empty text is told apart from a pattern that takes it', () => {
    const apart = { anyOf: [TEXT, { type: 'string', enum: [''] }, { type: 'null' }] };
    expect(compared(apart)).toEqual(compared({ ...TEXT, type: ['string', 'null'] }));
    expect(compared({ anyOf: [TEXT, { type: 'string', enum: [''] }] })).toEqual({ description: TEXT });
  });

  it('are equal where one says that a text looks like a UUID, and not where one says that it is a date', () => {
    expect(compared({ ...TEXT, format: 'uuid' })).toEqual(compared(TEXT));
    expect(compared({ ...TEXT, format: 'date' })).not.toEqual(compared(TEXT));
  });

  it('differ where other values are taken', () => {
    const narrow = { type: 'string', pattern: '^[a-z]+$' };
    const wide = { anyOf: [narrow, { type: 'string', enum: [''] }] };
    expect(compared(wide)).toEqual({ description: wide });
    expect(compared({ anyOf: [TEXT, { type: 'integer' }] })).not.toEqual(compared(TEXT));
  });
});
