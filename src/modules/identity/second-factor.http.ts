import { type Routes, route } from '../../platform/http/route.ts';
import { tidied } from '../../platform/http/schemas.ts';
import { arrayOf, object, string } from '../../platform/http/typed.ts';
import { sessionOf, USERS_ONLY } from './sessions.http.ts';
import {
  secondFactorAlreadySet,
  secondFactorNotSet,
  secondFactorNotStarted,
  wrongCode,
} from './write/refusals.ts';
import type { SetUpSecondFactor } from './write/set-up-second-factor.ts';

const TAG = 'Authentication';
const ACCESS = { ...USERS_ONLY, whilePending: 'SECOND_FACTOR_SETUP_REQUIRED' } as const;

/** A code of an authenticator, or a recovery code. */
export const code = () => tidied(32, 6);

const LIMITED = 'Wrong codes count as failed logins (429).';

export const secondFactorRoutes: Routes<{ setUpSecondFactor: SetUpSecondFactor }> = (deps) => [
  route({
    method: 'post',
    operationId: 'startSecondFactor',
    path: '/v1/auth/second-factor',
    summary: 'Start a second factor',
    description:
      'Returns a secret for an authenticator app (TOTP, RFC 6238: SHA-1, 6 digits, 30 seconds). The second factor is active once a code has confirmed the secret. Another start replaces the secret.',
    tag: TAG,
    access: ACCESS,
    responses: {
      200: {
        description: 'The secret, which no other answer shows.',
        schema: object({
          secret: string().required().description('The secret in Base32, to be typed in.'),
          otpauthUrl: string().required().description('The address for a QR code: `otpauth://totp/…`.'),
        }).label('SecondFactorSecret'),
      },
    },
    refusals: [secondFactorAlreadySet],
    async handle({ principal, context }) {
      return { status: 200, body: await deps.setUpSecondFactor.start(sessionOf(principal).userId, context) };
    },
  }),
  route({
    method: 'post',
    operationId: 'confirmSecondFactor',
    path: '/v1/auth/second-factor/confirm',
    summary: 'Confirm the second factor',
    description: `From then on the login needs \`code\`. Ends every session of the user, including this one. ${LIMITED}`,
    tag: TAG,
    access: ACCESS,
    body: object({
      code: code().required().description('The code that the authenticator app shows.'),
    }).example({
      code: '123456',
    }),
    responses: {
      200: {
        description:
          'Recovery codes, for a user who has lost the authenticator app. No other answer shows them.',
        schema: object({
          recoveryCodes: arrayOf(string())
            .required()
            .description('Ten codes, each of which replaces a code of the app at one login.'),
        }).label('RecoveryCodes'),
      },
    },
    refusals: [secondFactorNotStarted, wrongCode],
    async handle({ principal, body, clientAddress, context }) {
      const command = { userId: sessionOf(principal).userId, code: body.code, address: clientAddress };
      return { status: 200, body: { recoveryCodes: await deps.setUpSecondFactor.confirm(command, context) } };
    },
  }),
  route({
    method: 'delete',
    operationId: 'removeSecondFactor',
    path: '/v1/auth/second-factor',
    summary: 'Remove the second factor',
    description: `The login needs only the password again. Ends every session of the user, including this one. ${LIMITED}`,
    tag: TAG,
    access: ACCESS,
    body: object({
      code: code().required().description('The code that the authenticator app shows, or a recovery code.'),
    }).example({ code: '123456' }),
    responses: { 204: { description: 'The second factor is removed.' } },
    refusals: [secondFactorNotSet, wrongCode],
    async handle({ principal, body, clientAddress, context }) {
      const command = { userId: sessionOf(principal).userId, code: body.code, address: clientAddress };
      await deps.setUpSecondFactor.remove(command, context);
      return { status: 204 };
    },
  }),
];
