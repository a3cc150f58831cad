import { defineModule, services } from '../../platform/platform.module.ts';
import { provideEach } from '../../platform/wiring.ts';
import { createListMatches } from './read/list-matches.ts';
import { searchRoutes } from './search.http.ts';

export const searchModule = defineModule(provideEach(services, { createListMatches }), {
  routes: [searchRoutes],
});
