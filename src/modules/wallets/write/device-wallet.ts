import { createPrivateKey, type X509Certificate } from 'node:crypto';
import type { Clock } from '../../../kernel/clock.ts';
import type { CommandContext } from '../../../kernel/event.ts';
import type { ChargeId, MerchantId } from '../../../kernel/ids.ts';
import type { Logger } from '../../../platform/logger.ts';
import { type KeyRing, unseal } from '../../../platform/secrets.ts';
import type { Transaction } from '../../../platform/write-store/transaction.ts';
import { hashMerchantIdentifier } from '../../providers/wallet/decrypt-token.ts';
import { type FindProcessingKey, type OpenedToken, openToken } from '../../providers/wallet/open-token.ts';
import type { ExpectedPayment } from '../../providers/wallet/payment-data.ts';
import { check, type WalletToken, WalletTokenRefused } from '../../providers/wallet/wallet-token.ts';
import { walletTokenInvalid } from './refusals.ts';
import { type FindSealedCertificates, type IsSpent, keepSpent } from './wallets.store.ts';

/** Settings of device wallets. */
export type WalletOptions = {
  /** The roots that tokens may be signed under; empty where no wallet is configured. */
  readonly roots: readonly X509Certificate[];
  readonly signingWindowMs: number;
};

/** A merchant's device wallet. Every refusal is 422 WALLET_TOKEN_INVALID; only the log says which check failed. */
export type DeviceWallet = {
  open(token: WalletToken, expected: ExpectedPayment): OpenedToken;
  /** Marks the token as used, in the transaction that stores its charge. */
  spend(opened: OpenedToken, chargeId: ChargeId, tx: Transaction): Promise<void>;
};

/** Finds a merchant's wallet; null where no root is configured, or the merchant has no certificate. */
export type FindDeviceWallet = (
  merchantId: MerchantId,
  context: CommandContext,
) => Promise<DeviceWallet | null>;

/** Whether a merchant can take payments by device wallet. */
export type HasWallet = (merchantId: MerchantId) => Promise<boolean>;

export const createHasWallet =
  (deps: {
    readonly roots: WalletOptions['roots'];
    readonly findSealedCertificates: FindSealedCertificates;
  }): HasWallet =>
  async (merchantId) =>
    deps.roots.length > 0 && (await deps.findSealedCertificates(merchantId)).length > 0;

export const createFindDeviceWallet =
  (deps: {
    readonly options: WalletOptions;
    readonly findSealedCertificates: FindSealedCertificates;
    readonly isSpent: IsSpent;
    readonly sealing: KeyRing;
    readonly clock: Clock;
    readonly logger: Logger;
  }): FindDeviceWallet =>
  async (merchantId, { requestId }) => {
    if (deps.options.roots.length === 0) return null;
    const certificates = await deps.findSealedCertificates(merchantId);
    if (certificates.length === 0) return null;

    const findKey: FindProcessingKey = (publicKeyHash) => {
      const found = certificates.find((certificate) => certificate.publicKeyHash === publicKeyHash);
      const sealed = found?.secret.sealedPrivateKey;
      if (!found || !sealed) return null;
      return {
        privateKey: createPrivateKey(unseal(deps.sealing, sealed)),
        merchantHash: hashMerchantIdentifier(found.walletMerchantId),
      };
    };
    const refusal = (error: unknown): unknown => {
      if (!(error instanceof WalletTokenRefused)) return error;
      deps.logger.warn({ requestId, merchantId, fault: error.fault }, 'wallet token refused');
      return walletTokenInvalid();
    };
    return {
      open(token, expected) {
        try {
          return openToken(token, { ...deps.options, findKey }, expected, deps.clock());
        } catch (error) {
          throw refusal(error);
        }
      },
      async spend({ identifier }, chargeId, tx) {
        try {
          check(!(await deps.isSpent(identifier)), 'spent');
        } catch (error) {
          throw refusal(error);
        }
        await keepSpent(identifier, chargeId, tx);
      },
    };
  };
