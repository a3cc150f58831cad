import { defineList } from '../../../platform/http/list.ts';
import { string } from '../../../platform/http/typed.ts';
import { BY_MERCHANT } from '../../merchants/read/by-merchant.ts';
import { loggedRequestAnswer } from '../request-log.schemas.ts';
import { REQUESTS_VIEW } from './request-log.view.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

const DESCRIPTION =
  'Requests of keys, with their answers, for the last 30 days or as long as the installation keeps them. Failed requests are always kept; of successful ones the installation may keep a share. Above 50 requests of a merchant in a second, some are left out, successful ones first. An entry can be found a few seconds after its request. Requests that people make in the panel, requests without a valid key, and those above the rate limit are not in it.';

export const REQUEST_LIST = defineList({
  view: REQUESTS_VIEW,
  what: 'logged requests',
  answer: loggedRequestAnswer,
  sort: [
    'id',
    'createdAt',
    'keyId',
    'merchantId',
    'method',
    'path',
    'status',
    'failed',
    'code',
    'durationMs',
  ],
  orderBy: '-createdAt',
  filter: {
    failed: { description: '`true` finds requests that were not successful.' },
    keyId: { description: 'Only requests of this key, `key_…`.' },
    merchantId: BY_MERCHANT,
    requestId: { description: 'The `X-Request-Id` of an answer.' },
    method: { valid: METHODS, description: 'HTTP method.' },
    path: { description: 'The whole path, such as `/v1/charges`.' },
    status: {
      field: 'statusText',
      schema: string().pattern(/^[1-5]\d\d$/, 'HTTP status'),
      description: 'HTTP status of the answer, such as `422`.',
    },
    code: { description: '`code` of the error, such as `VALIDATION_FAILED`.' },
    createdAt: {},
  },
  csv: { without: ['errors', 'body'] },
  routes: [
    {
      operationId: 'listRequests',
      path: '/v1/request-log',
      tag: 'Request log',
      summary: 'List the requests of keys',
      description: DESCRIPTION,
      access: { merchant: 'keys.manage' },
    },
    {
      operationId: 'listRequestsAsOperator',
      path: '/v1/admin/request-log',
      tag: 'Request log (administration)',
      summary: 'List the requests of keys of any merchant',
      description: DESCRIPTION,
      access: { operator: 'admin.merchants.read' },
    },
  ],
});
