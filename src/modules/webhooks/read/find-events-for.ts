import { tenantOf } from '../../../kernel/tenant.ts';
import type { ReadView } from '../../../platform/read-store/read-view.ts';
import { ofTenant } from '../../../platform/read-store/scope.ts';
import { wantedBy } from '../write/endpoint.ts';
import type { FindEventsFor } from '../write/send-again.ts';
import { EVENT_LIST } from './list-events.ts';

/** The view knows events by their merchant; it is waited for, so that none is missed. Oldest first. */
export const createFindEventsFor =
  (readView: ReadView): FindEventsFor =>
  ({ merchantId, masterId, livemode, events, includeSubmerchants }, since) => {
    const names = wantedBy({ events });
    const ofSubmerchants = includeSubmerchants ? names : names.filter((name) => name.startsWith('account.'));
    const scope = [
      ...ofTenant(tenantOf({ merchantId, masterId })),
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
