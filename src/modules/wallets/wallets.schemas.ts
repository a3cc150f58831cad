import { dateTime, resourceId, text } from '../../platform/http/schemas.ts';
import { object, string } from '../../platform/http/typed.ts';

export const TAG = 'Wallet certificates (administration)';
const MAX_PEM = 16_384;

export const WALLET_MERCHANT = 'Id of the merchant at the device wallet.';
const DISPLAY_NAME = 'Name that the device wallet shows to the payer; at most 64 characters.';

export const newCertificate = object({
  walletMerchantId: text(255).required().description(WALLET_MERCHANT),
  displayName: text(64).required().description(DISPLAY_NAME),
  certificate: string().max(MAX_PEM).required().description('Payment-processing certificate in PEM.'),
  privateKey: string()
    .max(MAX_PEM)
    .required()
    .description('Private key of the certificate in PEM, which no answer shows.'),
}).example({
  walletMerchantId: 'merchant.com.example.shop',
  displayName: 'Padaria do Bairro',
  certificate: '-----BEGIN CERTIFICATE-----\n…\n-----END CERTIFICATE-----\n',
  privateKey: '-----BEGIN PRIVATE KEY-----\n…\n-----END PRIVATE KEY-----\n',
});

export const certificateAnswer = object({
  id: resourceId('wct').required(),
  merchantId: resourceId('mer').required(),
  walletMerchantId: string().required().description(WALLET_MERCHANT),
  displayName: string().required().description(DISPLAY_NAME),
  publicKeyHash: string()
    .required()
    .description('SHA-256 of the public key in Base64, by which payment tokens name their certificate.'),
  notBefore: dateTime().required().description('From when on the certificate is valid.'),
  notAfter: dateTime()
    .required()
    .description('Until when the certificate is valid; renew it at least 30 days before.'),
  createdAt: dateTime().required(),
}).label('WalletCertificate');
