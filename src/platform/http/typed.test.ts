import { type Reply, type RouteRequest, route } from './route.ts';
import { resourceId, text } from './schemas.ts';
import { arrayOf, boolean, number, object, string, type ValueOf } from './typed.ts';

const request = object({
  name: text(10).required(),
  note: text(10).allow(null).default(null),
  kind: string().valid('a', 'b').required(),
  size: number(),
  live: boolean().default(false),
  customerId: resourceId('cus'),
  parts: arrayOf(object({ share: number().required() })).required(),
});
type Request = ValueOf<typeof request>;

const reply: Reply = { status: 204 };
const about = {
  method: 'post',
  operationId: 'tryOut',
  summary: 'Try',
  tag: 'Test',
  access: null,
  responses: {},
} as const;

// Most of this is tested by the compiler: an `@ts-expect-error` above a line that compiles is itself an error.
describe('schemas with types', () => {
  it('tell the values that they let through: required members, defaults, null, words and lists', () => {
    const given: Request = { name: 'x', note: null, kind: 'a', live: true, parts: [{ share: 1 }] };
    expect(request.validate({ name: 'x', kind: 'a', parts: [{ share: 1 }] }).value).toEqual({
      ...given,
      live: false,
    });
    // @ts-expect-error: a word that the schema refuses
    expect(request.validate({ ...given, kind: 'c' } satisfies Request).error).toBeDefined();
    // @ts-expect-error: null where the schema does not allow it
    expect(request.validate({ ...given, name: null } satisfies Request).error).toBeDefined();
    // @ts-expect-error: a number for a text
    expect(request.validate({ ...given, customerId: 1 } satisfies Request).error).toBeDefined();
  });

  it('keep their types through further members', () => {
    const longer = request.label('Longer').keys({ note: number().required() });
    const { note }: ValueOf<typeof longer> = { name: 'x', note: 1, kind: 'a', live: true, parts: [] };
    expect(note).toBe(1);
  });
});

describe('a route', () => {
  it('hands its handler the parameters of its path and the members of its body', async () => {
    const seen: unknown[] = [];
    const made = route({
      ...about,
      path: '/v1/things/{id}/parts/{number}',
      params: { id: 'Id.', number: 'Number.' },
      body: request,
      async handle({ params, body }) {
        seen.push(params.id, params.number, body.kind);
        // @ts-expect-error: no parameter of the path
        seen.push(params.other);
        // @ts-expect-error: no member of the body
        seen.push(body.other);
        return reply;
      },
    });
    const asked: Partial<RouteRequest> = { params: { id: 'x', number: '1' }, body: { kind: 'a' } };
    expect(await made.handle(asked as RouteRequest)).toBe(reply);
    expect(seen).toEqual(['x', '1', 'a', undefined, undefined]);
  });

  it('hands its handler no body where the request has another type than JSON', () => {
    const { handle } = route({
      ...about,
      path: '/v1/things',
      body: request,
      otherBodyTypes: { 'text/csv': object({}) },
      async handle({ body }) {
        // @ts-expect-error: a request with CSV has no `body`
        expect(body.kind).toBeUndefined();
        return reply;
      },
    });
    expect(handle).toBeDefined();
  });

  it('has to describe every parameter of its path', () => {
    const made = route({
      ...about,
      path: '/v1/things/{id}',
      // @ts-expect-error: `id` is not described
      params: { number: 'Number.' },
      handle: async () => reply,
    });
    expect(made.path).toBe('/v1/things/{id}');
  });
});
