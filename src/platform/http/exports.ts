import type { Response } from 'express';
import { GatewayError } from '../../kernel/errors.ts';

/** The number of exports that run at a time: of one caller, and of all callers in this process. */
type ExportBounds = { readonly perCaller: number; readonly total: number };

const BOUNDS: ExportBounds = { perCaller: 2, total: 8 };
/** Most exports end sooner than this. */
const RETRY_AFTER_SECONDS = '5';

/** Reserves a place for an export until its answer is sent; 429 where there is none. */
export type BeginExport = (caller: string, response: Response) => void;

/**
 * Limits the exports that run at a time. Each holds rows and a snapshot of the read store for as long as its client
 * reads, and meanwhile asks the stores for one batch after the other.
 */
export const createExportPlaces = (bounds: ExportBounds = BOUNDS): BeginExport => {
  const running = new Map<string, number>();
  let total = 0;
  return (caller, response) => {
    // The end of the response was already reported, so the place would never become free again.
    if (response.destroyed) return;
    const own = running.get(caller) ?? 0;
    if (own >= bounds.perCaller || total >= bounds.total)
      throw new GatewayError(429, 'Too many exports are running: wait until one has ended', {
        headers: { 'Retry-After': RETRY_AFTER_SECONDS },
      });
    running.set(caller, own + 1);
    total += 1;
    response.once('close', () => {
      total -= 1;
      const left = (running.get(caller) ?? 1) - 1;
      if (left > 0) running.set(caller, left);
      else running.delete(caller);
    });
  };
};
