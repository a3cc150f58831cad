import { ContainerModule } from 'inversify';
import { CLOCK, DB, ROUTES } from '../../platform/platform.module.ts';
import { FIND_CHARGE } from '../charges/charges.module.ts';
import { createFindMerchants } from '../merchants/write/find-merchants.store.ts';
import { RECEIVE_NOTIFICATION } from '../provider-notifications/provider-notifications.module.ts';
import { SIMULATOR } from '../providers/providers.module.ts';
import { payPageRoutes } from './pay-pages.http.ts';
import { createFindPayable, createPlayPayer } from './play-payer.ts';

export const payPagesModule = new ContainerModule(({ bind }) => {
  bind(ROUTES).toResolvedValue(
    (findCharge, simulator, receiveNotification, clock, db) => {
      const findPayable = createFindPayable(findCharge);
      const findMerchants = createFindMerchants(db);
      return payPageRoutes({
        findPayable,
        playPayer: createPlayPayer({ findPayable, simulator, receiveNotification, clock }),
        findMerchantName: async (id) => (await findMerchants([id]))[0]?.legalName ?? '',
      });
    },
    [FIND_CHARGE, SIMULATOR, RECEIVE_NOTIFICATION, CLOCK, DB],
  );
});
