import Joi from 'joi';
import { consistencyTokenOf, type Route, route } from '../../platform/http/route.ts';
import { dateTime, pageOf, resourceId, text } from '../../platform/http/schemas.ts';
import type { ListQuery } from '../../platform/read-store/list.ts';
import { merchantParams } from '../merchants/merchants.schemas.ts';
import { type ListWalletCertificates, walletCertificateList } from './read/list-wallet-certificates.ts';
import { presentWalletCertificate } from './read/wallet-certificate.view.ts';
import type { RegisterWalletCertificate } from './write/register-wallet-certificate.ts';
import type { RemoveWalletCertificate } from './write/remove-wallet-certificate.ts';

const TAG = 'Wallet certificates (administration)';
const MAX_PEM = 16_384;

const WALLET_MERCHANT = 'By what the device wallet knows the merchant.';
const DISPLAY_NAME = 'What the device wallet shows to the payer; at most 64 characters.';

const newCertificate = Joi.object({
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

const certificateAnswer = Joi.object({
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

const page = { description: 'A page of certificates.', schema: pageOf(certificateAnswer) };

export const walletRoutes = (deps: {
  readonly registerWalletCertificate: RegisterWalletCertificate;
  readonly removeWalletCertificate: RemoveWalletCertificate;
  readonly listWalletCertificates: ListWalletCertificates;
}): readonly Route[] => [
  route<Parameters<RegisterWalletCertificate>[0]['request']>({
    method: 'post',
    path: '/v1/admin/merchants/{id}/wallet-certificates',
    params: merchantParams,
    summary: 'Register a wallet certificate',
    description:
      'Certificate and key must belong together, be on the curve P-256 and not expired; where the certificate says whose it is, `walletMerchantId` must be that. Several are in use at once: each token names its own. 422 `WALLET_CERTIFICATE_ALREADY_EXISTS` for a key that the merchant has already.',
    tag: TAG,
    access: { operator: 'admin.merchants.update' },
    body: newCertificate,
    notSearched: ['certificate', 'privateKey'],
    responses: { 201: { description: 'The certificate, without its key.', schema: certificateAnswer } },
    errors: [404, 422],
    async handle({ params, body, context }) {
      const command = { merchantId: params.id ?? '', request: body };
      return {
        status: 201,
        body: presentWalletCertificate(await deps.registerWalletCertificate(command, context)),
      };
    },
  }),
  route<unknown, ListQuery>({
    method: 'get',
    path: '/v1/admin/merchants/{id}/wallet-certificates',
    params: merchantParams,
    summary: "List a merchant's wallet certificates",
    description: 'Without those that were removed. Newest first by default.',
    tag: TAG,
    access: { operator: 'admin.merchants.read' },
    query: walletCertificateList.query,
    consistent: true,
    responses: { 200: page },
    errors: [404],
    async handle(request) {
      const { params, query } = request;
      const token = consistencyTokenOf(request);
      return { status: 200, body: await deps.listWalletCertificates(params.id ?? '', query, token) };
    },
  }),
  route<unknown, ListQuery>({
    method: 'get',
    path: '/v1/admin/wallet-certificates',
    summary: 'List the wallet certificates of all merchants',
    description:
      'Which have to be renewed: `?notAfter[lt]=` a date 30 days ahead, `&orderBy=notAfter`. Without those that were removed.',
    tag: TAG,
    access: { operator: 'admin.merchants.read' },
    query: walletCertificateList.query,
    consistent: true,
    responses: { 200: page },
    async handle(request) {
      const token = consistencyTokenOf(request);
      return { status: 200, body: await deps.listWalletCertificates(null, request.query, token) };
    },
  }),
  route({
    method: 'delete',
    path: '/v1/admin/merchants/{id}/wallet-certificates/{certificateId}',
    params: { ...merchantParams, certificateId: 'Id of the certificate, `wct_…`.' },
    summary: 'Remove a wallet certificate',
    description:
      'Its key is destroyed and tokens for it are refused from then on. Removing it again changes nothing.',
    tag: TAG,
    access: { operator: 'admin.merchants.update' },
    responses: { 204: { description: 'The certificate is removed.' } },
    errors: [404],
    async handle({ params, context }) {
      const command = { merchantId: params.id ?? '', certificateId: params.certificateId ?? '' };
      await deps.removeWalletCertificate(command, context);
      return { status: 204 };
    },
  }),
];
