import type { IdentityModule } from '../identity/identity.module.ts';
import type { MerchantsModule } from '../merchants/merchants.module.ts';
import { cardFieldsRoutes } from './card-fields.http.ts';

export const createCardFieldsModule = ({
  identity: { principals },
  merchants: { findSetting },
}: {
  readonly identity: IdentityModule;
  readonly merchants: MerchantsModule;
}) => ({ contributions: { routes: () => cardFieldsRoutes({ principals, findSetting }) } });
