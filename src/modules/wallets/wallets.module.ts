import { defineModule, sealedRenewal, services } from '../../platform/platform.module.ts';
import { member, provide, provideEach, token } from '../../platform/wiring.ts';
import { getMerchant } from '../merchants/merchants.module.ts';
import { WALLET_CERTIFICATE_LIST } from './read/list-wallet-certificates.ts';
import { walletRoutes } from './wallets.http.ts';
import { createFindDeviceWallet, createHasWallet, type WalletOptions } from './write/device-wallet.ts';
import { createExpiryLoop } from './write/expiry-loop.ts';
import { createRegisterWalletCertificate } from './write/register-wallet-certificate.ts';
import { createRemoveWalletCertificate } from './write/remove-wallet-certificate.ts';
import { WALLET_CERTIFICATES } from './write/wallet-certificate.ts';
import * as store from './write/wallets.store.ts';

/** Bound by `main`. */
export const walletOptions = token<WalletOptions>('walletOptions');
const scope = {
  ...services,
  getMerchant,
  options: walletOptions,
  roots: member(walletOptions, 'roots'),
  findSealedCertificates: provide(store.createFindSealedCertificates, services.db),
  findCertificateOfKey: provide(store.createFindCertificateOfKey, services.db),
  findExpiries: provide(store.createFindExpiries, services.db),
  isSpent: provide(store.createIsSpent, services.db),
};
const cases = provideEach(scope, {
  createFindDeviceWallet,
  createHasWallet,
  createRegisterWalletCertificate,
  createRemoveWalletCertificate,
});
export const { findDeviceWallet, hasWallet } = cases;

export const walletsModule = defineModule(cases, {
  migrations: [store.walletMigrations],
  lists: [WALLET_CERTIFICATE_LIST],
  routes: [walletRoutes],
  removals: [store.createSpentTokenRemoval],
  renewals: [sealedRenewal('wallet certificates', WALLET_CERTIFICATES, 'sealedPrivateKey')],
  loops: [createExpiryLoop],
});
