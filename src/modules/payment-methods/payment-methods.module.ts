import { ContainerModule } from 'inversify';
import { DB, ROUTES } from '../../platform/platform.module.ts';
import { readResource } from '../../platform/write-store/mongo.ts';
import { IDENTIFY_TYPES } from '../charges/charges.schemas.ts';
import { FEE_DEFINITIONS } from '../merchants/write/fees.ts';
import { createFindMerchants } from '../merchants/write/find-merchants.store.ts';
import { PROVIDER_FOR } from '../providers/providers.module.ts';
import { HAS_WALLET } from '../wallets/wallets.module.ts';
import { paymentMethodRoutes } from './payment-methods.http.ts';
import { paymentMethodsOf } from './read/payment-methods.ts';

export const paymentMethodsModule = new ContainerModule(({ bind }) => {
  bind(ROUTES).toResolvedValue(
    (providerFor, db, hasWallet) => {
      const findMerchants = createFindMerchants(db);
      return paymentMethodRoutes(async ({ merchantId, livemode }) => {
        const [[merchant], fees, ofDevices] = await Promise.all([
          findMerchants([merchantId]),
          readResource(db, FEE_DEFINITIONS, merchantId),
          hasWallet(merchantId),
        ]);
        // One that may not create charges can use nothing.
        if (merchant?.status !== 'active') return [];
        return paymentMethodsOf({
          methods: providerFor(livemode)?.methods ?? [],
          livemode,
          definitions: fees?.definitions ?? [],
          wallets: ofDevices ? ['devicepay'] : [],
          identifyTypes: IDENTIFY_TYPES,
        });
      });
    },
    [PROVIDER_FOR, DB, HAS_WALLET],
  );
});
