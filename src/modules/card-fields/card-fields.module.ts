import { defineModule } from '../../platform/platform.module.ts';
import { principals } from '../identity/identity.module.ts';
import { findSetting } from '../merchants/merchants.module.ts';
import { cardFieldsRoutes } from './card-fields.http.ts';

export const cardFieldsModule = defineModule({ principals, findSetting }, { routes: [cardFieldsRoutes] });
