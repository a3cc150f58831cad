import Joi from 'joi';
import { dateTime, resourceId, text } from '../../platform/http/schemas.ts';

export const TAG = 'Wallet certificates (administration)';
const MAX_PEM = 16_384;

export const WALLET_MERCHANT = 'Id of the merchant at the device wallet.';
const DISPLAY_NAME = 'Name that the device wallet shows to the payer; at most 64 characters.';

export const newCertificate = Joi.object({
  walletMerchantId: text(255).required().description(WALLET_MERCHANT),
  displayName: text(64).required().description(DISPLAY_NAME),
  certificate: Joi.string().max(MAX_PEM).required().description('Payment-processing certificate in PEM.'),
  privateKey: Joi.string().max(MAX_PEM).required().description('Its private key in PEM; no answer has it.'),
}).example({
  walletMerchantId: 'merchant.com.example.shop',
  displayName: 'Padaria do Bairro',
  certificate: '-----BEGIN CERTIFICATE-----\n…\n-----END CERTIFICATE-----\n',
  privateKey: '-----BEGIN PRIVATE KEY-----\n…\n-----END PRIVATE KEY-----\n',
});

export const certificateAnswer = Joi.object({
  id: resourceId('wct').required(),
  merchantId: resourceId('mer').required(),
  walletMerchantId: Joi.string().required().description(WALLET_MERCHANT),
  displayName: Joi.string().required().description(DISPLAY_NAME),
  publicKeyHash: Joi.string()
    .required()
    .description('Base64 of the SHA-256 of the public key; payment tokens name their certificate by it.'),
  notBefore: dateTime().required().description('From when on the certificate is valid.'),
  notAfter: dateTime()
    .required()
    .description('Until when it is valid; to be renewed at least 30 days before.'),
  createdAt: dateTime().required(),
}).label('WalletCertificate');
