import type { Portico, RequestSettings, Schemas } from './client.ts';

/** The body of a webhook; its `event` tells what `data` is. */
export type WebhookBody =
  | Schemas['ChargeEvent']
  | Schemas['RefundEvent']
  | Schemas['PayoutEvent']
  | Schemas['AccountEvent']
  | Schemas['SubscriptionEvent'];

export type Verified =
  | { readonly genuine: true; readonly event: WebhookBody }
  | { readonly genuine: false; readonly reason: 'malformed' | 'unknown' | 'different' | 'unanswered' };

/**
 * Asks the gateway whether it has sent this body, to the letter: webhooks carry no signature. A body with the header
 * `X-Test-Event` is a sample, which the gateway does not keep: it is `unknown`.
 */
export const verifyWebhook = async (
  portico: Pick<Portico, 'getEvent' | 'listEvents'>,
  body: string,
  settings: RequestSettings = {},
): Promise<Verified> => {
  const event = parse(body);
  if (!event) return { genuine: false, reason: 'malformed' };
  const sent = await sentBodies(portico, event, settings);
  if (sent === null) return { genuine: false, reason: 'unanswered' };
  if (sent.length === 0) return { genuine: false, reason: 'unknown' };
  return sent.includes(body) ? { genuine: true, event } : { genuine: false, reason: 'different' };
};

const parse = (body: string): WebhookBody | null => {
  try {
    const { id, event, data } = JSON.parse(body);
    return typeof id === 'string' && typeof event === 'string' && data ? JSON.parse(body) : null;
  } catch {
    return null;
  }
};

/** Null where the gateway does not say. */
const sentBodies = async (
  portico: Pick<Portico, 'getEvent' | 'listEvents'>,
  { id, event }: WebhookBody,
  settings: RequestSettings,
): Promise<readonly string[] | null> => {
  // An event about a payout has the id of the payout request.
  if (event.startsWith('payout.')) {
    const query = { event: event as Schemas['PayoutEvent']['event'], resourceId: id, size: 100 };
    const listed = await portico.listEvents({ ...settings, latest: true, query });
    return listed.ok ? listed.data.data.map(({ body }) => body) : null;
  }
  const read = await portico.getEvent({ ...settings, path: { id } });
  if (read.ok) return [read.data.body];
  return read.error.statusCode === 404 ? [] : null;
};
