import Joi from 'joi';
import { type Route, route } from '../../platform/http/route.ts';
import { characters } from '../../platform/http/schemas.ts';
import type { ChangePassword } from './write/change-password.ts';
import type { Login } from './write/login.ts';
import { TOKEN_SECONDS } from './write/tokens.ts';
import { MAX_PASSWORD, MIN_PASSWORD } from './write/user.ts';

const TAG = 'Authentication';

const givenPassword = characters(MAX_PASSWORD);

type LoginBody = {
  readonly email: string;
  readonly password: string;
  readonly environment: 'test' | 'live';
};
type PasswordBody = { readonly currentPassword: string; readonly newPassword: string };

export const authRoutes = (deps: {
  readonly login: Login;
  readonly changePassword: ChangePassword;
}): readonly Route[] => [
  route<LoginBody>({
    method: 'post',
    path: '/v1/auth/login',
    summary: 'Log in',
    description:
      'Gives a user a token for one hour, in one environment (`live` by default). After 10 wrong passwords for one e-mail address, or 100 from one network address, within 5 minutes: 429 with `Retry-After`. 422 `ENVIRONMENT_NOT_AVAILABLE` for a user of a sub-merchant that belongs to the other environment.',
    tag: TAG,
    access: null,
    body: Joi.object({
      email: characters(254).required().description('Of the user, in upper or lower case.'),
      password: givenPassword.required().description('As it was set.'),
      environment: Joi.string()
        .valid('test', 'live')
        .default('live')
        .description('What the token sees: sandbox or production.'),
    }).example({ email: 'operator@portico.test', password: 'portico-demo', environment: 'test' }),
    responses: {
      200: {
        description: 'The token, for `Authorization: Bearer`.',
        schema: Joi.object({
          accessToken: Joi.string().required().description('JWT.'),
          tokenType: Joi.string()
            .valid('Bearer')
            .required()
            .description('Scheme of the `Authorization` header.'),
          expiresIn: Joi.number().integer().required().description('Seconds.'),
        }),
      },
    },
    errors: [401, 422, 429],
    async handle({ body, clientAddress }) {
      const { email, password, environment } = body;
      const command = { email, password, livemode: environment === 'live', address: clientAddress };
      const accessToken = await deps.login(command);
      return { status: 200, body: { accessToken, tokenType: 'Bearer', expiresIn: TOKEN_SECONDS } };
    },
  }),
  route<PasswordBody>({
    method: 'post',
    path: '/v1/auth/password',
    summary: "Change one's own password",
    description:
      'Ends every token of the user, this one included. 422 `WRONG_PASSWORD`; wrong passwords count as failed logins.',
    tag: TAG,
    access: { merchant: 'any', operator: 'any', schemes: ['bearer'] },
    body: Joi.object({
      currentPassword: givenPassword.required().description('The password until now.'),
      newPassword: characters(MAX_PASSWORD, MIN_PASSWORD)
        .required()
        .description(`${MIN_PASSWORD} to ${MAX_PASSWORD} characters.`),
    }).example({ currentPassword: 'the password until now', newPassword: 'a long password' }),
    responses: { 204: { description: 'The password is changed.' } },
    errors: [422, 429],
    async handle({ principal, body, clientAddress, context }) {
      const command = { userId: principal.actor.id, address: clientAddress, ...body };
      await deps.changePassword(command, context);
      return { status: 204 };
    },
  }),
];
