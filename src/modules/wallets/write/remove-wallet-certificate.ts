import { notFound } from '../../../kernel/errors.ts';
import type { Command } from '../../../kernel/event.ts';
import type { Changing } from '../../../platform/write-store/transaction.ts';
import { MERCHANTS } from '../../merchants/write/merchant.ts';
import {
  removeCertificate,
  WALLET_CERTIFICATES,
  type WalletCertificateSecret,
} from './wallet-certificate.ts';

export type RemoveWalletCertificate = Command<
  { readonly merchantId: string; readonly certificateId: string },
  void
>;

export const createRemoveWalletCertificate =
  (deps: Changing): RemoveWalletCertificate =>
  ({ merchantId, certificateId }, context) =>
    deps.transact(context, async (tx) => {
      if (!(await tx.get(MERCHANTS, merchantId))) throw notFound('Merchant');
      const certificate = await tx.get(WALLET_CERTIFICATES, certificateId);
      if (certificate?.merchantId !== merchantId) throw notFound('Wallet certificate');
      const decision = removeCertificate(certificate, deps.clock());
      const destroyed: WalletCertificateSecret = { sealedPrivateKey: null };
      if (decision) await tx.record(WALLET_CERTIFICATES, certificate, decision, destroyed);
    });
