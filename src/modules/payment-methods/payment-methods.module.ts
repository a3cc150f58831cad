import { ContainerModule, type ServiceIdentifier } from 'inversify';
import type { MerchantId } from '../../kernel/ids.ts';
import { DB, ROUTES } from '../../platform/platform.module.ts';
import { readResource } from '../../platform/write-store/mongo.ts';
import { IDENTIFY_TYPES } from '../charges/charges.schemas.ts';
import { FEE_DEFINITIONS } from '../merchants/write/fees.ts';
import { createFindMerchants } from '../merchants/write/find-merchants.store.ts';
import { PROVIDER_FOR } from '../providers/providers.module.ts';
import { paymentMethodRoutes } from './payment-methods.http.ts';
import { paymentMethodsOf } from './read/payment-methods.ts';

const token = <T>(name: string): ServiceIdentifier<T> => Symbol.for(name);

/** Names of the device wallets that a merchant is set up for. */
export type FindWallets = (merchantId: MerchantId, livemode: boolean) => Promise<readonly string[]>;
export const FIND_WALLETS = token<FindWallets>('FindWallets');

export const paymentMethodsModule = new ContainerModule(({ bind }) => {
  bind(FIND_WALLETS).toConstantValue(async () => []);
  bind(ROUTES).toResolvedValue(
    (providerFor, db, findWallets) => {
      const findMerchants = createFindMerchants(db);
      return paymentMethodRoutes(async ({ merchantId, livemode }) => {
        const [[merchant], fees, wallets] = await Promise.all([
          findMerchants([merchantId]),
          readResource(db, FEE_DEFINITIONS, merchantId),
          findWallets(merchantId, livemode),
        ]);
        // One that may not create charges can use nothing.
        if (merchant?.status !== 'active') return [];
        return paymentMethodsOf({
          methods: providerFor(livemode)?.methods ?? [],
          livemode,
          definitions: fees?.definitions ?? [],
          wallets,
          identifyTypes: IDENTIFY_TYPES,
        });
      });
    },
    [PROVIDER_FOR, DB, FIND_WALLETS],
  );
});
