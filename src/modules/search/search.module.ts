import type { Services } from '../../platform/services.ts';
import { createFindMatches } from './read/find-matches.ts';
import { searchRoutes } from './search.http.ts';

export const createSearchModule = (services: Services) => ({
  contributions: { routes: () => searchRoutes({ findMatches: createFindMatches(services) }) },
});
