import { notFound } from '../../kernel/errors.ts';
import type { Principal } from '../../kernel/principal.ts';
import { type Routes, route } from '../../platform/http/route.ts';
import { oneOf } from '../../platform/http/schemas.ts';
import { object, string } from '../../platform/http/typed.ts';
import type { FindById } from '../../platform/write-store/read-resource.ts';
import { OWN_ACCESS_TAG } from '../merchants/api-keys.schemas.ts';
import type { ApiKey } from '../merchants/write/api-key.ts';
import { USERS_ONLY } from './sessions.http.ts';
import type { User } from './write/user.ts';

const KINDS = ['operator', 'user', 'key'] as const;

const answer = object({
  id: string().required().description('Id of the author, `usr_…` or `key_…`.'),
  kind: oneOf(KINDS).description('An operator, a user of a merchant, or an API key.'),
  name: string()
    .required()
    .description(
      'Name of a person, or the e-mail address where there is none; description of a key, or the end of its secret key.',
    ),
}).label('Actor');

const ofUser = ({ id, name, email, merchantId }: User) => ({
  id,
  kind: merchantId === null ? ('operator' as const) : ('user' as const),
  name: name ?? email,
});

const ofKey = ({ id, description, secretKeyEnding }: ApiKey) => ({
  id,
  kind: 'key' as const,
  name: description ?? `… ${secretKeyEnding}`,
});

/** Names for the ids of people and keys that other answers have as authors. */
export const actorRoutes: Routes<{ findUser: FindById<User>; findKey: FindById<ApiKey> }> = (deps) => {
  const nameOf = async (principal: Principal, id: string) => {
    const isKnown = ({ merchantId }: User | ApiKey): boolean =>
      principal.kind === 'operator' || merchantId === principal.merchantId;
    const key = id.startsWith('key_') ? await deps.findKey(id) : null;
    if (key && isKnown(key)) return ofKey(key);
    const user = id.startsWith('usr_') ? await deps.findUser(id) : null;
    if (user && isKnown(user)) return ofUser(user);
    throw notFound('Actor');
  };
  return [
    route({
      method: 'get',
      operationId: 'getActor',
      path: '/v1/actors/{id}',
      params: { id: 'Id of a user, `usr_…`, or of an API key, `key_…`.' },
      summary: 'Read the name of an author',
      description:
        'Names the person or the API key behind an id that another answer has. An operator may name everybody, a user of a merchant its colleagues and keys.',
      tag: OWN_ACCESS_TAG,
      access: USERS_ONLY,
      responses: { 200: { description: 'The author.', schema: answer } },
      errors: [404],
      async handle({ principal, params }) {
        return { status: 200, body: await nameOf(principal, params.id) };
      },
    }),
  ];
};
