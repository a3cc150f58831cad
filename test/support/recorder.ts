import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Response } from 'supertest';
import type { Exchange } from '../../scripts/examples/exchanges.ts';

/** Records requests of the tests and their answers, one line each, in the folder that RECORD_EXAMPLES names. */
export const recordExchange = (method: string, path: string, response: Response): void => {
  const folder = process.env.RECORD_EXAMPLES;
  if (folder === undefined) return;
  if (response.type !== 'application/json' && response.status !== 204) return;
  const { _data: request } = response.request as unknown as { readonly _data?: unknown };
  if (Buffer.isBuffer(request)) return;
  const exchange: Exchange = {
    method,
    path,
    request,
    status: response.status,
    answer: response.body ?? null,
  };
  note(folder, exchange);
};

/** Records the body of a webhook as a receiver got it. */
export const recordWebhook = (body: string): void => {
  const folder = process.env.RECORD_EXAMPLES;
  if (folder !== undefined) note(folder, { sent: JSON.parse(body) });
};

const note = (folder: string, line: object): void =>
  appendFileSync(join(folder, `${process.pid}.jsonl`), `${JSON.stringify(line)}\n`);
