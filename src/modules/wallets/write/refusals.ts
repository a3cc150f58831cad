import { refusal } from '../../../kernel/errors.ts';

export const walletTokenInvalid = refusal(
  422,
  'WALLET_TOKEN_INVALID',
  'The wallet token is not valid for this charge',
);

export const walletCertificateAlreadyExists = refusal(
  422,
  'WALLET_CERTIFICATE_ALREADY_EXISTS',
  'The merchant has a certificate of this key already',
);

export const walletNotConfigured = refusal(
  422,
  'WALLET_NOT_CONFIGURED',
  'Device-wallet payments are not configured',
);
