import { defineModule, services } from '../../platform/platform.module.ts';
import { member, provide, provideEach, token } from '../../platform/wiring.ts';
import { getMerchant } from '../merchants/merchants.module.ts';
import { createWalletCertificateList } from './read/list-wallet-certificates.ts';
import { WALLET_CERTIFICATES_VIEW } from './read/wallet-certificate.view.ts';
import { walletRoutes } from './wallets.http.ts';
import { createFindDeviceWallet, createHasWallet, type WalletOptions } from './write/device-wallet.ts';
import { createExpiryLoop } from './write/expiry-loop.ts';
import { createRegisterWalletCertificate } from './write/register-wallet-certificate.ts';
import { createRemoveWalletCertificate } from './write/remove-wallet-certificate.ts';
import { createCertificateRenewal } from './write/renew-certificates.store.ts';
import * as store from './write/wallets.store.ts';

/** Bound by `main`. */
export const walletOptions = token<WalletOptions>('walletOptions');
const scope = {
  ...services,
  options: walletOptions,
  roots: member(walletOptions, 'roots'),
  findSealedCertificates: provide(store.createFindSealedCertificates, services.db),
  findCertificateOfKey: provide(store.createFindCertificateOfKey, services.db),
  findExpiries: provide(store.createFindExpiries, services.db),
  isSpent: provide(store.createIsSpent, services.db),
};
export const { findDeviceWallet, hasWallet } = provideEach(scope, {
  createFindDeviceWallet,
  createHasWallet,
});
const cases = provideEach(scope, { createRegisterWalletCertificate, createRemoveWalletCertificate });

export const walletsModule = defineModule({
  migrations: [store.walletMigrations],
  views: [WALLET_CERTIFICATES_VIEW],
  lists: [provide(createWalletCertificateList, getMerchant)],
  routes: [provide(walletRoutes, cases)],
  removals: [provide(store.createSpentTokenRemoval, services.db)],
  renewals: [provide(createCertificateRenewal, services.db, services.sealing)],
  loops: [provide(createExpiryLoop, scope)],
});
