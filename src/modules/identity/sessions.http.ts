import { unauthorized } from '../../kernel/errors.ts';
import type { Principal } from '../../kernel/principal.ts';
import { networkNotAllowed } from '../../platform/http/refusals.ts';
import { type Reply, type Route, type Routes, route } from '../../platform/http/route.ts';
import { dateTime, listOf, resourceId } from '../../platform/http/schemas.ts';
import { boolean, number, object, string } from '../../platform/http/typed.ts';
import type { ListSessions } from './read/list-sessions.ts';
import type { EndSessions } from './write/end-sessions.ts';
import type { RefreshSession } from './write/refresh-session.ts';
import { environmentNotAvailable, requestedWithMissing } from './write/refusals.ts';
import type { SwitchEnvironment } from './write/switch-environment.ts';
import type { IssuedTokens } from './write/tokens.ts';

const TAG = 'Authentication';
const COOKIE = 'portico_refresh';
const REFRESH_PATH = '/v1/auth/refresh';
/** The value of `X-Requested-With`. Another site cannot make a browser send this header together with the cookie. */
const REQUESTED_WITH = 'portico';

export const USERS_ONLY = { merchant: 'any', operator: 'any', schemes: ['bearer'] } as const;

export const issuedTokens = {
  accessToken: string().required().description('JWT.'),
  tokenType: string().valid('Bearer').required().description('Scheme of the `Authorization` header.'),
  expiresIn: number().integer().required().description('Seconds.'),
};

/** The answer with new tokens: the refresh cookie goes into its header, `more` into the body. */
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

/** The session of the user's token that the request came with; 401 for a key. */
export const sessionOf = ({ actor, session }: Principal) => {
  if (!session) throw unauthorized('CREDENTIALS_INVALID');
  return { userId: session.userId, sessionId: session.id, actor };
};

const sessionAnswer = object({
  id: resourceId('ses').required(),
  current: boolean().required().description('Whether this is the session of the token of the request.'),
  livemode: boolean().required().description("Environment of the session's tokens."),
  address: string().required().description('Network address of the login.'),
  userAgent: string().allow(null).required().description('Program that logged in, by its `User-Agent`.'),
  createdAt: dateTime().required(),
  lastSeenAt: dateTime().required().description('Time of the last request, to the minute.'),
  expiresAt: dateTime().required().description('When the session ends at the latest.'),
}).label('Session');

type SessionDeps = {
  refreshSession: RefreshSession;
  switchEnvironment: SwitchEnvironment;
  listSessions: ListSessions;
  endSessions: EndSessions;
  secureCookies: boolean;
};

const refreshTokenRoute = (deps: SessionDeps): Route =>
  route({
    method: 'post',
    operationId: 'refreshToken',
    path: REFRESH_PATH,
    summary: 'Get a new token by the refresh cookie',
    description: `Serves browsers after a login with \`refresh: true\`. Needs the header \`X-Requested-With: ${REQUESTED_WITH}\`. Each cookie works once, and the answer sets the next one. A cookie that is sent twice ends the session. The end of the session does not change.`,
    tag: TAG,
    access: null,
    responses: {
      200: {
        description: 'The token, for `Authorization: Bearer`.',
        headers: { 'Set-Cookie': 'The next refresh cookie.' },
        schema: object(issuedTokens).label('RefreshedToken'),
      },
    },
    refusals: [networkNotAllowed, requestedWithMissing],
    errors: [401],
    async handle({ headers, context }) {
      if (headers['x-requested-with'] !== REQUESTED_WITH) throw requestedWithMissing();
      const issued = await deps.refreshSession(refreshCookieOf(headers.cookie), context);
      return tokenReply(issued, deps.secureCookies);
    },
  });

const switchEnvironmentRoute = (deps: SessionDeps): Route =>
  route({
    method: 'post',
    operationId: 'switchEnvironment',
    // Browsers send the refresh cookie to addresses below this one only.
    path: `${REFRESH_PATH}/environment`,
    summary: 'Go on in the other environment',
    description:
      'Ends the session of this token and opens one in the other environment, without another login. It ends when the former session would have ended. A session with a refresh cookie has to send it, and the answer sets the next one; a session without one goes on for as long as its token would have lasted. The token of the former session no longer works. A session that is in this environment already stays as it is.',
    tag: TAG,
    access: USERS_ONLY,
    body: object({
      environment: string().valid('test', 'live').required().description('Environment of the new token.'),
    })
      .example({ environment: 'live' })
      .label('EnvironmentSwitch'),
    responses: {
      200: {
        description: 'The token, for `Authorization: Bearer`.',
        headers: { 'Set-Cookie': 'The refresh cookie, if the former session had one.' },
        schema: object(issuedTokens).label('SwitchedToken'),
      },
    },
    refusals: [environmentNotAvailable],
    async handle({ principal, body, headers, context }) {
      const { userId, sessionId } = sessionOf(principal);
      const cookie = refreshCookieOf(headers.cookie);
      const command = { userId, sessionId, cookie, livemode: body.environment === 'live' };
      return tokenReply(await deps.switchEnvironment(command, context), deps.secureCookies);
    },
  });

export const sessionRoutes: Routes<SessionDeps> = (deps) => [
  refreshTokenRoute(deps),
  switchEnvironmentRoute(deps),
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
    description: 'Shows the current sessions in both environments, a hundred at most, the newest first.',
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
    description: 'Ends all sessions in both environments, including the session of this token.',
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
      await deps.endSessions({ userId: sessionOf(principal).userId, id: params.id }, context);
      return { status: 204 };
    },
  }),
];
