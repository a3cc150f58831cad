import type { Services } from '../../platform/services.ts';
import { collections } from '../../platform/write-store/migrate.ts';
import { REQUEST_LIST } from './read/list-requests.ts';
import { createRequestRemoval } from './remove-requests.ts';
import { createKeepRequests, KEEP_NO_REQUESTS } from './write/keep-requests.ts';
import { REQUEST_LOG } from './write/logged-request.ts';

export type RequestLogOptions = {
  readonly isOn: boolean;
  /** The share of successful requests that is kept, from 0 to 1. */
  readonly share: number;
  /** How many days an entry is kept. */
  readonly days: number;
};

export const createRequestLogModule = (
  services: Services,
  { options }: { readonly options: RequestLogOptions },
) => ({
  keepRequests: options.isOn ? createKeepRequests({ ...services, share: options.share }) : KEEP_NO_REQUESTS,
  contributions: {
    migrations: [collections('310-request-log', { [REQUEST_LOG.collection]: [] })],
    views: [REQUEST_LIST.view],
    routes: () => REQUEST_LIST.routes(services),
    // Entries that were made before the log was switched off go in their time, too.
    work: () => ({ removals: [createRequestRemoval({ ...services, days: options.days })] }),
  },
});
