import { tenantOf } from '../../../kernel/tenant.ts';
import type { ReadView } from '../../../platform/read-store/read-view.ts';
import { tenantCondition } from '../../../platform/read-store/scope.ts';
import { wantedBy } from '../write/endpoint.ts';
import type { FindEventsFor } from '../write/send-again.ts';
import { EVENT_LIST } from './list-events.ts';

/**
 * Finds the events of an endpoint, oldest first, in the view, which knows them by merchant. The view is waited for, so
 * that no event is missed.
 */
export const createFindEventsFor =
  (readView: ReadView): FindEventsFor =>
  ({ merchantId, masterId, livemode, events, includeSubmerchants }, since) => {
    const names = wantedBy({ events });
    const ofSubmerchants = includeSubmerchants ? names : names.filter((name) => name.startsWith('account.'));
    const scope = [
      ...tenantCondition(tenantOf({ merchantId, masterId })),
      { term: { livemode } },
      {
        bool: {
          should: [
            { bool: { filter: [{ term: { merchantId } }, { terms: { event: [...names] } }] } },
            {
              bool: {
                filter: [{ term: { masterId: merchantId } }, { terms: { event: [...ofSubmerchants] } }],
              },
            },
          ],
          minimum_should_match: 1,
        },
      },
    ];
    const query = { page: 1, size: 100, orderBy: 'createdAt', 'createdAt[gte]': since };
    return readView.scan(EVENT_LIST.search, scope, query, 'latest');
  };
