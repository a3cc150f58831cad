import { ContainerModule, type ServiceIdentifier } from 'inversify';
import type { Db } from 'mongodb';
import type { MerchantId } from '../../kernel/ids.ts';
import { newId } from '../../kernel/ids.ts';
import { createLoop } from '../../platform/loop.ts';
import {
  BACKGROUND,
  CLOCK,
  DB,
  KEY_RINGS,
  LOGGER,
  METRICS,
  MIGRATIONS,
  READ_VIEW,
  REMOVAL,
  RENEWAL,
  ROUTES,
  TRANSACT,
  VIEW,
} from '../../platform/platform.module.ts';
import { getMerchant } from '../merchants/read/get-merchant.ts';
import { createListWalletCertificates } from './read/list-wallet-certificates.ts';
import { WALLET_CERTIFICATES_VIEW } from './read/wallet-certificate.view.ts';
import { walletRoutes } from './wallets.http.ts';
import { createFindDeviceWallet, type FindDeviceWallet, type WalletOptions } from './write/device-wallet.ts';
import { createRegisterWalletCertificate } from './write/register-wallet-certificate.ts';
import { createRemoveWalletCertificate } from './write/remove-wallet-certificate.ts';
import { renewCertificates } from './write/renew-certificates.store.ts';
import { summarizeExpiry } from './write/wallet-certificate.ts';
import {
  createFindCertificateOfKey,
  createFindSealedCertificates,
  createIsSpent,
  findExpiries,
  removeSpentTokens,
  walletMigrations,
} from './write/wallets.store.ts';

const token = <T>(name: string): ServiceIdentifier<T> => Symbol.for(name);

/** Bound by `main`. */
export const WALLET_OPTIONS = token<WalletOptions>('WalletOptions');
export const FIND_DEVICE_WALLET = token<FindDeviceWallet>('FindDeviceWallet');
/** Whether a merchant can take payments by device wallet. */
export const HAS_WALLET = token<(merchantId: MerchantId) => Promise<boolean>>('HasWallet');

const WATCH_EXPIRY_EVERY_MS = 60_000;

export const walletsModule = new ContainerModule(({ bind }) => {
  bind(MIGRATIONS).toConstantValue(walletMigrations);
  bind(VIEW).toConstantValue(WALLET_CERTIFICATES_VIEW);
  bind(FIND_DEVICE_WALLET).toResolvedValue(
    (options, db, { sealing }, clock, logger) =>
      createFindDeviceWallet({
        options,
        findSealedCertificates: createFindSealedCertificates(db),
        isSpent: createIsSpent(db),
        sealing,
        clock,
        logger,
      }),
    [WALLET_OPTIONS, DB, KEY_RINGS, CLOCK, LOGGER],
  );
  bind(HAS_WALLET).toResolvedValue(
    ({ roots }: WalletOptions, db: Db) =>
      async (merchantId: MerchantId) =>
        roots.length > 0 && (await createFindSealedCertificates(db)(merchantId)).length > 0,
    [WALLET_OPTIONS, DB],
  );
  bind(ROUTES).toResolvedValue(
    (transact, db, keyRings, clock, readView) =>
      walletRoutes({
        registerWalletCertificate: createRegisterWalletCertificate({
          transact,
          findCertificateOfKey: createFindCertificateOfKey(db),
          keyRings,
          clock,
          newId,
        }),
        removeWalletCertificate: createRemoveWalletCertificate({ transact, clock }),
        listWalletCertificates: createListWalletCertificates({ readView, getMerchant: getMerchant(db) }),
      }),
    [TRANSACT, DB, KEY_RINGS, CLOCK, READ_VIEW],
  );
  bind(REMOVAL).toResolvedValue(removeSpentTokens, [DB]);
  bind(RENEWAL).toResolvedValue((db, { sealing }) => renewCertificates(db, sealing), [DB, KEY_RINGS]);
  bind(BACKGROUND).toResolvedValue(
    (db, { roots }, clock, logger, metrics) =>
      () =>
        createLoop({
          name: 'wallet certificates',
          everyMs: WATCH_EXPIRY_EVERY_MS,
          logger,
          round: async () => {
            const now = clock();
            const { expiring, firstAt } = summarizeExpiry(await findExpiries(db), now);
            metrics.walletCertificatesExpiring.set(expiring);
            const expiries = { merchant: firstAt, root: expiryOfRoots(roots) };
            for (const [kind, at] of Object.entries(expiries))
              if (at === null) metrics.walletCertificateExpiresAt.remove({ kind });
              else metrics.walletCertificateExpiresAt.set({ kind }, Date.parse(at) / 1000);
            return false;
          },
        }),
    [DB, WALLET_OPTIONS, CLOCK, LOGGER, METRICS],
  );
});

/** Tokens are signed under any of the roots, so the last to expire counts. */
const expiryOfRoots = (roots: WalletOptions['roots']): string | null =>
  roots
    .map(({ validTo }) => new Date(validTo).toISOString())
    .sort()
    .at(-1) ?? null;
