import type { Database } from '../../../platform/write-store/database.ts';
import { CHARGES } from '../../charges/write/charge.store.ts';
import type { Charge } from '../../charges/write/charge.ts';
import type { ProviderAccount } from '../../providers/accounts.ts';
import type { ProviderNamed } from '../../providers/provider.ts';
import type { ProviderHealth } from '../../providers/provider-health.ts';

/** The most waiting charges that are counted. */
const MAX_WAITING = 10_000;

type Waiting = Pick<Charge, 'provider' | 'createdAt' | 'status' | 'pspRefId' | 'livemode'>;

/** Describes the configured providers: how they answer, and how many charges wait for them in this environment. */
export const createGetProviderStatuses =
  (deps: {
    readonly db: Database;
    readonly providerAccounts: readonly ProviderAccount[];
    readonly providerNamed: ProviderNamed;
    readonly providerHealth: ProviderHealth;
  }) =>
  async (livemode: boolean) => {
    const waiting = (
      await deps.db
        .collection(CHARGES.collection)
        // A charge whose provider has to be asked has a time for it, which only few charges have.
        .find<Waiting>(
          { reconcileAt: { $gte: '0', $lt: ':' } },
          {
            projection: { provider: 1, createdAt: 1, status: 1, pspRefId: 1, livemode: 1 },
            limit: MAX_WAITING,
          },
        )
        .toArray()
    ).filter((one) => one.livemode === livemode && one.status === 'pending' && one.pspRefId === null);
    // There may be many merchant accounts, so only those that were called or are waited for are listed.
    const names = new Set([
      ...deps.providerAccounts.map(({ name }) => name),
      ...deps.providerHealth.names(),
      ...waiting.map(({ provider }) => provider),
    ]);
    const providers = await Promise.all([...names].map(deps.providerNamed));
    return providers.flatMap((provider) => {
      if (!provider) return [];
      const { name, methods } = provider;
      const { circuit, total, failed } = deps.providerHealth.of(name);
      const own = waiting.filter((charge) => charge.provider === name).map(({ createdAt }) => createdAt);
      return {
        name,
        methods,
        circuit,
        calls: total,
        failedCalls: failed,
        errorRate: total === 0 ? null : failed / total,
        waitingCharges: own.length,
        oldestWaitingSince: own.toSorted()[0] ?? null,
      };
    });
  };
