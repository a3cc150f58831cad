import { holdsCardNumber } from '../../platform/http/card-numbers.ts';
import { networkNotAllowed } from '../../platform/http/refusals.ts';
import { type Route, type Routes, route } from '../../platform/http/route.ts';
import { characters, tidied } from '../../platform/http/schemas.ts';
import { boolean, object, string } from '../../platform/http/typed.ts';
import { code } from './second-factor.http.ts';
import { issuedTokens, sessionOf, tokenReply, USERS_ONLY } from './sessions.http.ts';
import type { ChangePassword } from './write/change-password.ts';
import type { Login } from './write/login.ts';
import {
  environmentNotAvailable,
  passwordNamesUser,
  passwordTooCommon,
  passwordUsedBefore,
  wrongPassword,
} from './write/refusals.ts';
import { MAX_PASSWORD, MIN_PASSWORD } from './write/user.ts';

const TAG = 'Authentication';

/** A given password may be longer than a new one: former versions allowed more than MAX_PASSWORD characters. */
const givenPassword = characters(256);
const MAX_USER_AGENT = 200;

/** The user agent that the client names; null where there is none, or where it holds a card number and is not kept. */
const programOf = (userAgent = ''): string | null => {
  const name = userAgent.slice(0, MAX_USER_AGENT);
  return name === '' || holdsCardNumber(name) ? null : name;
};

type AuthDeps = {
  login: Login;
  changePassword: ChangePassword;
  secureCookies: boolean;
};

const loginRoute = (deps: AuthDeps): Route =>
  route({
    method: 'post',
    operationId: 'login',
    path: '/v1/auth/login',
    notSearched: ['password'],
    summary: 'Log in',
    description:
      'Opens a session of a user in one environment (`live` by default) and returns a token for one hour. The session ends after 12 hours, or after 15 minutes without a request. Ten failures for one user, or 100 from one address, lock the login for 30 minutes (429 with `Retry-After`). Failures from other addresses do not lock out a user at an address of former logins. One address can lock an account twice a day at most.',
    tag: TAG,
    access: null,
    body: object({
      email: tidied(254).required().description('The e-mail address of the user, in upper or lower case.'),
      password: givenPassword.required().description('The password, exactly as it was set.'),
      code: code().description('Code of the authenticator app, or a recovery code. Each works once.'),
      refresh: boolean()
        .default(false)
        .description('Whether to set a cookie for `POST /v1/auth/refresh`; for browsers.'),
      environment: string().valid('test', 'live').default('live').description('Environment of the token.'),
    }).example({ email: 'operator@portico.test', password: 'portico-demo', environment: 'test' }),
    responses: {
      200: {
        description: 'The token, for `Authorization: Bearer`.',
        headers: { 'Set-Cookie': 'The refresh cookie, with `refresh: true`.' },
        schema: object({
          ...issuedTokens,
          passwordChangeRequired: boolean()
            .required()
            .description(
              'True for a one-time password. The token then allows `POST /v1/auth/password` only.',
            ),
          secondFactorSetupRequired: boolean()
            .required()
            .description('True if the token only allows the setup of a second factor.'),
        }).label('LoggedIn'),
      },
    },
    refusals: [networkNotAllowed, environmentNotAvailable],
    errors: [401, 429],
    async handle({ body, clientAddress, headers, context }) {
      const { email, password, refresh, environment } = body;
      const { issued, pending } = await deps.login(
        {
          email,
          password,
          code: body.code ?? null,
          livemode: environment === 'live',
          refresh,
          address: clientAddress,
          userAgent: programOf(headers['user-agent']),
        },
        context,
      );
      return tokenReply(issued, deps.secureCookies, {
        passwordChangeRequired: pending === 'PASSWORD_CHANGE_REQUIRED',
        secondFactorSetupRequired: pending === 'SECOND_FACTOR_SETUP_REQUIRED',
      });
    },
  });

export const authRoutes: Routes<AuthDeps> = (deps) => [
  loginRoute(deps),
  route({
    method: 'post',
    operationId: 'changePassword',
    path: '/v1/auth/password',
    notSearched: ['currentPassword', 'newPassword'],
    summary: "Change one's own password",
    description:
      'Ends every session of the user, including this one. Wrong passwords count as failed logins (429).',
    tag: TAG,
    access: { ...USERS_ONLY, whilePending: 'PASSWORD_CHANGE_REQUIRED' },
    body: object({
      currentPassword: givenPassword.required().description('The present password.'),
      newPassword: characters(MAX_PASSWORD, MIN_PASSWORD)
        .required()
        .description(`${MIN_PASSWORD} to ${MAX_PASSWORD} characters.`),
    }).example({ currentPassword: 'the password until now', newPassword: 'a long password' }),
    responses: { 204: { description: 'The password is changed.' } },
    refusals: [wrongPassword, passwordNamesUser, passwordTooCommon, passwordUsedBefore],
    errors: [429],
    async handle({ principal, body, clientAddress, context }) {
      const command = { userId: sessionOf(principal).userId, address: clientAddress, ...body };
      await deps.changePassword(command, context);
      return { status: 204 };
    },
  }),
];
