import type { Services } from '../../platform/services.ts';
import { createSealedRenewal } from '../../platform/write-store/renew-sealed.ts';
import type { MerchantsModule } from '../merchants/merchants.module.ts';
import { WALLET_CERTIFICATE_LIST } from './read/list-wallet-certificates.ts';
import { walletRoutes } from './wallets.http.ts';
import { createFindDeviceWallet, createHasWallet, type WalletOptions } from './write/device-wallet.ts';
import { createExpiryLoop } from './write/expiry-loop.ts';
import { createRegisterWalletCertificate } from './write/register-wallet-certificate.ts';
import { createRemoveWalletCertificate } from './write/remove-wallet-certificate.ts';
import { WALLET_CERTIFICATES } from './write/wallet-certificate.ts';
import * as store from './write/wallets.store.ts';

export type WalletsModule = ReturnType<typeof createWalletsModule>;

export const createWalletsModule = (
  services: Services,
  { options, merchants }: { readonly options: WalletOptions; readonly merchants: MerchantsModule },
) => {
  const { db } = services;
  const deps = {
    ...services,
    getMerchant: merchants.getMerchant,
    options,
    roots: options.roots,
    findSealedCertificates: store.createFindSealedCertificates(db),
    findCertificateOfKey: store.createFindCertificateOfKey(db),
    findExpiries: store.createFindExpiries(db),
    isSpent: store.createIsSpent(db),
  };
  const cases = {
    ...deps,
    registerWalletCertificate: createRegisterWalletCertificate(deps),
    removeWalletCertificate: createRemoveWalletCertificate(deps),
  };
  return {
    findDeviceWallet: createFindDeviceWallet(deps),
    hasWallet: createHasWallet(deps),
    contributions: {
      migrations: store.walletMigrations,
      views: [WALLET_CERTIFICATE_LIST.view],
      routes: () => [...WALLET_CERTIFICATE_LIST.routes(cases), ...walletRoutes(cases)],
      renewals: [
        createSealedRenewal(services, {
          what: 'wallet certificates',
          from: WALLET_CERTIFICATES,
          name: 'sealedPrivateKey',
        }),
      ],
      work: () => ({
        removals: [store.createSpentTokenRemoval(services)],
        loops: [createExpiryLoop(deps)],
      }),
    },
  };
};
