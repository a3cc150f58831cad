import { refusal } from '../../../kernel/errors.ts';

export const walletTokenInvalid = refusal(
  'WALLET_TOKEN_INVALID',
  'The wallet token is not valid for this charge',
);

export const walletCertificateAlreadyExists = refusal(
  'WALLET_CERTIFICATE_ALREADY_EXISTS',
  'The merchant has a certificate of this key already',
);

export const walletNotConfigured = refusal(
  'WALLET_NOT_CONFIGURED',
  'Device-wallet payments are not configured',
);
