import { dateTime, livemode, nullable, resourceId } from '../../platform/http/schemas.ts';
import { anyObject, arrayOf, boolean, number, object, string } from '../../platform/http/typed.ts';

const words = (what: string) => string().required().description(what);

export const loggedRequestAnswer = object({
  id: resourceId('rql').required(),
  createdAt: dateTime().required().description('When the request arrived.'),
  livemode: livemode().required(),
  merchantId: resourceId('mer').required().description('Merchant of the key.'),
  keyId: words('Id of the key that made the request, `key_…`.'),
  requestId: words('Id of the request, as its answer had it in `X-Request-Id`.'),
  method: words('HTTP method.'),
  path: words(
    'Path with the ids of records. A parameter that is no id is shown by its name, such as `{id}`; the query is not kept.',
  ),
  status: nullable(number().integer()).description(
    'HTTP status of the answer; null if the client was gone before it had the answer.',
  ),
  failed: boolean().required().description('Whether the status is 400 or higher, or nobody got the answer.'),
  code: nullable(string()).description(
    '`code` of the error; null for a success and for errors without a code.',
  ),
  message: nullable(string()).description('`message` of the error; null for a success.'),
  errors: arrayOf(
    object({
      path: words('The member or parameter, dotted.'),
      message: words('The fault of it.'),
    }).label('LoggedFault'),
  )
    .required()
    .description('The first ten of `errors` of the answer.'),
  durationMs: number().integer().required().description('Milliseconds until the answer had been sent.'),
  body: nullable(anyObject().unknown()).description(
    'Body of a request that failed. Values are masked as `***`, except amounts and words of the API such as a currency: no card, no payer and no secret can be seen. Null for a success and where there was no body.',
  ),
}).label('LoggedRequest');
