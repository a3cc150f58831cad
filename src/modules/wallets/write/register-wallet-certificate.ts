import { existing } from '../../../kernel/errors.ts';
import type { Command } from '../../../kernel/event.ts';
import { type KeyRings, seal } from '../../../platform/secrets.ts';
import type { Creating } from '../../../platform/write-store/transaction.ts';
import { MERCHANTS } from '../../merchants/write/merchant.ts';
import {
  type ProcessingCertificateRequest,
  readProcessingCertificate,
} from '../../providers/wallet/processing-certificate.ts';
import {
  registerCertificate,
  WALLET_CERTIFICATES,
  type WalletCertificate,
  type WalletCertificateSecret,
} from './wallet-certificate.ts';
import type { FindCertificateOfKey } from './wallets.store.ts';

export type RegisterWalletCertificate = Command<
  {
    readonly merchantId: string;
    readonly request: ProcessingCertificateRequest & { readonly displayName: string };
  },
  WalletCertificate
>;

/** Registers a certificate. Its key is sealed before it is stored, and no answer ever shows it. */
export const createRegisterWalletCertificate =
  (
    deps: Creating & { readonly findCertificateOfKey: FindCertificateOfKey; readonly keyRings: KeyRings },
  ): RegisterWalletCertificate =>
  ({ merchantId, request }, context) => {
    const { walletMerchantId, displayName } = request;
    const id = deps.newId('wct');
    return deps.transact(context, async (tx) => {
      const merchant = existing(await tx.get(MERCHANTS, merchantId), 'Merchant');
      const certificate = readProcessingCertificate(request, deps.clock());
      const registered = await deps.findCertificateOfKey(merchant.id, certificate.publicKeyHash);
      const command = { id, merchantId: merchant.id, walletMerchantId, displayName };
      const decision = registerCertificate(command, certificate, registered, deps.clock());
      const secret: WalletCertificateSecret = {
        sealedPrivateKey: seal(deps.keyRings.sealing, certificate.privateKey),
      };
      return tx.record(WALLET_CERTIFICATES, null, decision, secret);
    });
  };
