import {
  date,
  flag,
  from,
  hidden,
  integer,
  json,
  keyword,
  line,
  ofMerchant,
  stored,
} from '../../../platform/read-store/fields.ts';
import { defineView } from '../../../platform/read-store/view.ts';
import { REQUEST_LOG_VIEW } from '../write/keep-requests.ts';
import { type LoggedRequest, REQUEST_LOG } from '../write/logged-request.ts';

export const REQUESTS_VIEW = defineView({
  name: REQUEST_LOG_VIEW,
  version: 1,
  source: REQUEST_LOG,
  tenants: 'routed',
  feed: { after: [], field: 'id' },
  fields: {
    id: keyword(),
    createdAt: date(),
    ...ofMerchant,
    keyId: line(),
    requestId: line(),
    method: keyword(),
    path: line(),
    status: integer(),
    /** The status as text, by which lists filter. */
    statusText: hidden(from(keyword(), ({ status }: LoggedRequest) => status?.toString() ?? null)),
    failed: flag(),
    code: keyword(),
    message: stored(),
    errors: stored(),
    durationMs: integer(),
    body: json(),
  },
});
