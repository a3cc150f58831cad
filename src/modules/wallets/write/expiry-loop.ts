import type { Clock } from '../../../kernel/clock.ts';
import type { Logger } from '../../../platform/logger.ts';
import { createLoop, type StartLoop } from '../../../platform/loop.ts';
import type { Metrics } from '../../../platform/metrics.ts';
import type { WalletOptions } from './device-wallet.ts';
import { summarizeExpiry } from './wallet-certificate.ts';
import type { FindExpiries } from './wallets.store.ts';

const EVERY_MS = 60_000;

/** Measures how soon the merchants' certificates and the roots expire. */
export const createExpiryLoop =
  (deps: {
    readonly findExpiries: FindExpiries;
    readonly roots: WalletOptions['roots'];
    readonly clock: Clock;
    readonly logger: Logger;
    readonly metrics: Metrics;
  }): StartLoop =>
  () =>
    createLoop({
      name: 'wallet certificates',
      everyMs: EVERY_MS,
      logger: deps.logger,
      round: async () => {
        const { metrics } = deps;
        const { expiring, firstAt } = summarizeExpiry(await deps.findExpiries(), deps.clock());
        metrics.walletCertificatesExpiring.set(expiring);
        const expiries = { merchant: firstAt, root: expiryOfRoots(deps.roots) };
        for (const [kind, at] of Object.entries(expiries))
          if (at === null) metrics.walletCertificateExpiresAt.remove({ kind });
          else metrics.walletCertificateExpiresAt.set({ kind }, Date.parse(at) / 1000);
        return false;
      },
    });

/** When the last of the roots expires, because tokens may be signed under any of them. */
const expiryOfRoots = (roots: WalletOptions['roots']): string | null =>
  roots
    .map(({ validTo }) => new Date(validTo).toISOString())
    .sort()
    .at(-1) ?? null;
