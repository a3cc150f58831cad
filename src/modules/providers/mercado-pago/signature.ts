import { createHmac } from 'node:crypto';
import type { Clock } from '../../../kernel/clock.ts';
import { equalInConstantTime } from '../../../platform/secrets.ts';
import type { Delivery } from '../provider.ts';
import { parseNotification } from './notification.ts';

/** Age of a signed delivery. */
const TOLERANCE_MS = 300_000;
/** Times above this are in milliseconds. */
const FIRST_IN_MS = 100_000_000_000;

/**
 * Whether a delivery is signed with one of the secrets (`x-signature`), in the last minutes. The signature covers the
 * id of what it is about, the id of the request and the time, and nothing else of the body: so nothing else is believed.
 */
export const isSigned = (
  { headers, body }: Delivery,
  { clock, secrets }: { readonly clock: Clock; readonly secrets: readonly string[] },
): boolean => {
  const { ts, v1 } = partsOf(textOf(headers['x-signature']));
  const about = parseNotification(body)?.dataId;
  if (about === undefined || v1 === undefined || ts === undefined || !/^\d{1,15}$/.test(ts)) return false;
  const at = Number(ts) < FIRST_IN_MS ? Number(ts) * 1_000 : Number(ts);
  if (Math.abs(clock().getTime() - at) > TOLERANCE_MS) return false;
  const requestId = textOf(headers['x-request-id']);
  const manifest = `id:${about.toLowerCase()};${requestId ? `request-id:${requestId};` : ''}ts:${ts};`;
  return secrets.some((secret) =>
    equalInConstantTime(createHmac('sha256', secret).update(manifest).digest('hex'), v1),
  );
};

/** `ts=1,v1=abc` as its parts. */
const partsOf = (header: string): { readonly ts?: string; readonly v1?: string } =>
  Object.fromEntries(
    header.split(',').map((part) => {
      const [name = '', value = ''] = part.split('=');
      return [name.trim(), value.trim()];
    }),
  );

const textOf = (header: string | readonly string[] | undefined): string =>
  typeof header === 'string' ? header : '';
