import Joi from 'joi';
import { unauthorized } from '../../kernel/errors.ts';
import type { Principal } from '../../kernel/principal.ts';
import { networkNotAllowed } from '../../platform/http/refusals.ts';
import { type Reply, type Routes, route } from '../../platform/http/route.ts';
import { dateTime, listOf, resourceId } from '../../platform/http/schemas.ts';
import type { ListSessions } from './read/list-sessions.ts';
import type { EndSessions } from './write/end-sessions.ts';
import type { RefreshSession } from './write/refresh-session.ts';
import { requestedWithMissing } from './write/refusals.ts';
import type { IssuedTokens } from './write/tokens.ts';

const TAG = 'Authentication';
const COOKIE = 'portico_refresh';
const REFRESH_PATH = '/v1/auth/refresh';
/** A header that no other site can make a browser send with a cookie. */
const REQUESTED_WITH = 'portico';

export const USERS_ONLY = { merchant: 'any', operator: 'any', schemes: ['bearer'] } as const;

export const issuedTokens = {
  accessToken: Joi.string().required().description('JWT.'),
  tokenType: Joi.string().valid('Bearer').required().description('Scheme of the `Authorization` header.'),
  expiresIn: Joi.number().integer().required().description('Seconds.'),
};

/** The tokens as an answer, the refresh cookie as its header; `more` goes into the body. */
export const tokenReply = (issued: IssuedTokens, secureCookies: boolean, more: object = {}): Reply => ({
  status: 200,
  body: { accessToken: issued.accessToken, tokenType: 'Bearer', expiresIn: issued.expiresIn, ...more },
  ...(issued.refreshToken === null
    ? {}
    : { headers: { 'Set-Cookie': cookie(issued.refreshToken, issued.refreshSeconds, secureCookies) } }),
});

const cookie = (value: string, seconds: number, secure: boolean): string =>
  [
    `${COOKIE}=${value}`,
    `Path=${REFRESH_PATH}`,
    `Max-Age=${seconds}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(secure ? ['Secure'] : []),
  ].join('; ');

/** The refresh cookie among the request's cookies (RFC 6265); null where there is none. */
const refreshCookieOf = (header: string | undefined): string | null =>
  (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${COOKIE}=`))
    ?.slice(COOKIE.length + 1) ?? null;

/** The session of a user's token. */
export const sessionOf = ({ actor, session }: Principal) => {
  if (!session) throw unauthorized('CREDENTIALS_INVALID');
  return { userId: session.userId, sessionId: session.id, actor };
};

const sessionAnswer = Joi.object({
  id: resourceId('ses').required(),
  current: Joi.boolean().required().description('Whether it is the session of this token.'),
  livemode: Joi.boolean().required().description('Environment of its tokens.'),
  address: Joi.string().required().description('Network address of the login.'),
  userAgent: Joi.string().allow(null).required().description('Program of the login, as it calls itself.'),
  createdAt: dateTime().required(),
  lastSeenAt: dateTime().required().description('Time of the last request, to the minute.'),
  expiresAt: dateTime().required().description('End, however it is used.'),
}).label('Session');

export const sessionRoutes: Routes<{
  refreshSession: RefreshSession;
  listSessions: ListSessions;
  endSessions: EndSessions;
  secureCookies: boolean;
}> = (deps) => [
  route({
    method: 'post',
    operationId: 'refreshToken',
    path: REFRESH_PATH,
    summary: 'Get a new token by the refresh cookie',
    description: `Serves browsers after a login with \`refresh: true\`. Needs the header \`X-Requested-With: ${REQUESTED_WITH}\`. Each cookie works once, and the answer sets the next one. A cookie that comes twice ends the session. The end of the session stays as it is.`,
    tag: TAG,
    access: null,
    responses: {
      200: {
        description: 'The token, for `Authorization: Bearer`.',
        headers: { 'Set-Cookie': 'The next refresh cookie.' },
        schema: Joi.object(issuedTokens).label('RefreshedToken'),
      },
    },
    refusals: [networkNotAllowed, requestedWithMissing],
    errors: [401],
    async handle({ headers, context }) {
      if (headers['x-requested-with'] !== REQUESTED_WITH) throw requestedWithMissing();
      const issued = await deps.refreshSession(refreshCookieOf(headers.cookie), context);
      return tokenReply(issued, deps.secureCookies);
    },
  }),
  route({
    method: 'post',
    operationId: 'logout',
    path: '/v1/auth/logout',
    summary: 'Log out',
    description: 'Ends the session of this token at once, on every instance.',
    tag: TAG,
    access: USERS_ONLY,
    responses: { 204: { description: 'The session is over.' } },
    async handle({ principal, context }) {
      const { userId, sessionId } = sessionOf(principal);
      await deps.endSessions({ userId, id: sessionId }, context);
      return { status: 204, headers: { 'Set-Cookie': cookie('', 0, deps.secureCookies) } };
    },
  }),
  route({
    method: 'get',
    operationId: 'listSessions',
    path: '/v1/auth/sessions',
    summary: "List one's own sessions",
    description: 'Shows current sessions in both environments, the newest first and at most a hundred.',
    tag: TAG,
    access: USERS_ONLY,
    responses: {
      200: {
        description: 'The sessions.',
        schema: listOf(sessionAnswer, 'The newest first.').label('Sessions'),
      },
    },
    async handle({ principal }) {
      return { status: 200, body: { data: await deps.listSessions(sessionOf(principal)) } };
    },
  }),
  route({
    method: 'delete',
    operationId: 'endSessions',
    path: '/v1/auth/sessions',
    summary: "End all of one's own sessions",
    description: 'Ends the sessions in both environments, the one of this token included.',
    tag: TAG,
    access: USERS_ONLY,
    responses: { 204: { description: 'The sessions are over.' } },
    async handle({ principal, context }) {
      await deps.endSessions({ userId: sessionOf(principal).userId, id: null }, context);
      return { status: 204 };
    },
  }),
  route({
    method: 'delete',
    operationId: 'endSession',
    path: '/v1/auth/sessions/{id}',
    params: { id: 'Id of the session, `ses_…`.' },
    summary: "End one of one's own sessions",
    tag: TAG,
    access: USERS_ONLY,
    responses: { 204: { description: 'The session is over.' } },
    errors: [404],
    async handle({ principal, params, context }) {
      await deps.endSessions({ userId: sessionOf(principal).userId, id: params.id ?? '' }, context);
      return { status: 204 };
    },
  }),
];
