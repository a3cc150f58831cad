import { type Routes, route } from '../../platform/http/route.ts';
import { merchantParams } from '../merchants/merchants.schemas.ts';
import { presentWalletCertificate } from './read/wallet-certificate.view.ts';
import { certificateAnswer, newCertificate, TAG } from './wallets.schemas.ts';
import { walletCertificateAlreadyExists } from './write/refusals.ts';
import type { RegisterWalletCertificate } from './write/register-wallet-certificate.ts';
import type { RemoveWalletCertificate } from './write/remove-wallet-certificate.ts';

export const walletRoutes: Routes<{
  registerWalletCertificate: RegisterWalletCertificate;
  removeWalletCertificate: RemoveWalletCertificate;
}> = (deps) => [
  route({
    method: 'post',
    operationId: 'registerWalletCertificate',
    path: '/v1/admin/merchants/{id}/wallet-certificates',
    params: merchantParams,
    summary: 'Register a wallet certificate',
    description:
      'Registers a certificate that has not expired, with its key on the curve P-256. If the certificate names a merchant, this has to be `walletMerchantId`. Several certificates may be in use at once, because each token names its certificate.',
    tag: TAG,
    access: { operator: 'admin.merchants.update' },
    body: newCertificate,
    notSearched: ['certificate', 'privateKey'],
    responses: { 201: { description: 'The certificate, without its key.', schema: certificateAnswer } },
    refusals: [walletCertificateAlreadyExists],
    errors: [404],
    async handle({ params, body, context }) {
      const command = { merchantId: params.id, request: body };
      return {
        status: 201,
        body: presentWalletCertificate(await deps.registerWalletCertificate(command, context)),
      };
    },
  }),
  route({
    method: 'delete',
    operationId: 'deleteWalletCertificate',
    path: '/v1/admin/merchants/{id}/wallet-certificates/{certificateId}',
    params: { ...merchantParams, certificateId: 'Id of the certificate, `wct_…`.' },
    summary: 'Remove a wallet certificate',
    description:
      'Destroys the key of the certificate; tokens for it are refused from then on. Removing the certificate again changes nothing.',
    tag: TAG,
    access: { operator: 'admin.merchants.update' },
    responses: { 204: { description: 'The certificate is removed.' } },
    errors: [404],
    async handle({ params, context }) {
      const command = { merchantId: params.id, certificateId: params.certificateId };
      await deps.removeWalletCertificate(command, context);
      return { status: 204 };
    },
  }),
];
