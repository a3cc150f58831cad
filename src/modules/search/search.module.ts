import { defineModule, services } from '../../platform/platform.module.ts';
import { provideEach } from '../../platform/wiring.ts';
import { createFindMatches } from './read/find-matches.ts';
import { searchRoutes } from './search.http.ts';

export const searchModule = defineModule(provideEach(services, { createFindMatches }), {
  routes: [searchRoutes],
});
