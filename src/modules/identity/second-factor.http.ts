import Joi from 'joi';
import { type Routes, route } from '../../platform/http/route.ts';
import { tidied } from '../../platform/http/schemas.ts';
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

type CodeBody = { readonly code: string };

const LIMITED = 'Wrong codes count as failed logins (429).';

export const secondFactorRoutes: Routes<{ setUpSecondFactor: SetUpSecondFactor }> = (deps) => [
  route({
    method: 'post',
    operationId: 'startSecondFactor',
    path: '/v1/auth/second-factor',
    summary: 'Start a second factor',
    description:
      'Returns a secret for an authenticator app (TOTP, RFC 6238: SHA-1, 6 digits, 30 seconds). The secret counts once a code has confirmed it. Another start replaces it.',
    tag: TAG,
    access: ACCESS,
    responses: {
      200: {
        description: 'The secret, shown this once.',
        schema: Joi.object({
          secret: Joi.string().required().description('In Base32, to be typed in.'),
          otpauthUrl: Joi.string().required().description('The same for a QR code: `otpauth://totp/…`.'),
        }).label('SecondFactorSecret'),
      },
    },
    refusals: [secondFactorAlreadySet],
    async handle({ principal, context }) {
      return { status: 200, body: await deps.setUpSecondFactor.start(sessionOf(principal).userId, context) };
    },
  }),
  route<CodeBody>({
    method: 'post',
    operationId: 'confirmSecondFactor',
    path: '/v1/auth/second-factor/confirm',
    summary: 'Confirm the second factor',
    description: `Makes \`code\` necessary at the login. Ends every session of the user, this one included. ${LIMITED}`,
    tag: TAG,
    access: ACCESS,
    body: Joi.object({ code: code().required().description('Of the authenticator app.') }).example({
      code: '123456',
    }),
    responses: {
      200: {
        description: 'Codes for the day that the authenticator is lost, shown this once.',
        schema: Joi.object({
          recoveryCodes: Joi.array()
            .items(Joi.string())
            .required()
            .description('Ten; each takes the place of a code at one login.'),
        }).label('RecoveryCodes'),
      },
    },
    refusals: [secondFactorNotStarted, wrongCode],
    async handle({ principal, body, clientAddress, context }) {
      const command = { userId: sessionOf(principal).userId, code: body.code, address: clientAddress };
      return { status: 200, body: { recoveryCodes: await deps.setUpSecondFactor.confirm(command, context) } };
    },
  }),
  route<CodeBody>({
    method: 'delete',
    operationId: 'removeSecondFactor',
    path: '/v1/auth/second-factor',
    summary: 'Remove the second factor',
    description: `Ends every session of the user, this one included. ${LIMITED}`,
    tag: TAG,
    access: ACCESS,
    body: Joi.object({
      code: code().required().description('Of the authenticator app, or a recovery code.'),
    }).example({ code: '123456' }),
    responses: { 204: { description: 'The password is enough again.' } },
    refusals: [secondFactorNotSet, wrongCode],
    async handle({ principal, body, clientAddress, context }) {
      const command = { userId: sessionOf(principal).userId, code: body.code, address: clientAddress };
      await deps.setUpSecondFactor.remove(command, context);
      return { status: 204 };
    },
  }),
];
