import { forbidden, type Refusal } from '../../kernel/errors.ts';
import {
  merchantNotVisible,
  merchantsOnly,
  operatorsOnly,
  type PendingSetup,
  permissionMissing,
} from '../../kernel/principal.ts';

export const tlsRequired = forbidden('TLS_REQUIRED', 'The request came without TLS');
export const networkNotAllowed = forbidden(
  'NETWORK_NOT_ALLOWED',
  'The credentials are restricted to other networks',
);
export const secretKeyRequired = forbidden('SECRET_KEY_REQUIRED', 'A public key is not enough');
export const setupPending: Readonly<Record<PendingSetup, Refusal<[]>>> = {
  PASSWORD_CHANGE_REQUIRED: forbidden(
    'PASSWORD_CHANGE_REQUIRED',
    'The one-time password works for `POST /v1/auth/password` only',
  ),
  SECOND_FACTOR_SETUP_REQUIRED: forbidden(
    'SECOND_FACTOR_SETUP_REQUIRED',
    'The user has to set up a second factor first',
  ),
};

/** Refusals that any route can answer. */
export const COMMON_REFUSALS: readonly Refusal[] = [
  merchantNotVisible,
  merchantsOnly,
  networkNotAllowed,
  operatorsOnly,
  setupPending.PASSWORD_CHANGE_REQUIRED,
  permissionMissing,
  setupPending.SECOND_FACTOR_SETUP_REQUIRED,
  secretKeyRequired,
  tlsRequired,
];
