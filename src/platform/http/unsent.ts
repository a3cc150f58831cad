import type { Response } from 'express';

const MIB = 1024 * 1024;

/** Limits of the bytes of answers that wait for their readers: of all callers together, and of one. */
export type UnsentBounds = {
  readonly total: number;
  readonly perCaller: number;
  /** A reader that takes nothing for this long is cut off. */
  readonly stallMs: number;
  /** Bytes a second that a reader has to take at least, besides that time. */
  readonly bytesPerSecond: number;
};

const BOUNDS: UnsentBounds = {
  total: 64 * MIB,
  perCaller: 16 * MIB,
  stallMs: 30_000,
  bytesPerSecond: 16 * 1024,
};

type Waiting = { readonly response: Response; readonly caller: string; readonly bytes: number };

/** Smaller answers fit into the system's buffers and need not be watched. */
const WORTH_WATCHING = 16 * 1024;

/**
 * Keeps the memory of answers that nobody reads within a budget. Beyond the budget, the connection whose answer has
 * waited for the longest time is cut off, because a client in good faith reads at once. A connection that reads too
 * slowly is cut off as well.
 */
export const createUnsent = (bounds: UnsentBounds = BOUNDS) => {
  /** Oldest first. */
  const waiting = new Set<Waiting>();
  const ofCaller = new Map<string, number>();
  let total = 0;

  const count = (caller: string, change: number): void => {
    total += change;
    const bytes = (ofCaller.get(caller) ?? 0) + change;
    if (bytes > 0) ofCaller.set(caller, bytes);
    else ofCaller.delete(caller);
  };
  const forget = (one: Waiting): void => {
    if (waiting.delete(one)) count(one.caller, -one.bytes);
  };
  const cutOldest = (isOver: (one: Waiting) => boolean): void => {
    for (const one of waiting) {
      if (!isOver(one)) continue;
      forget(one);
      one.response.destroy();
    }
  };

  return {
    /** Counts an answer that was just handed over completely, until the system has taken all of it. */
    watch(response: Response, caller: string): void {
      const bytes = Number(response.getHeader('Content-Length') ?? 0);
      if (bytes < WORTH_WATCHING || response.writableFinished || response.destroyed) return;
      const one: Waiting = { response, caller, bytes };
      waiting.add(one);
      count(caller, bytes);
      const within = bounds.stallMs + (bytes / bounds.bytesPerSecond) * 1_000;
      const tooSlow = setTimeout(() => response.destroy(), within).unref();
      const end = (): void => {
        clearTimeout(tooSlow);
        forget(one);
      };
      response.once('finish', end).once('close', end);
      cutOldest((other) => other.caller === caller && (ofCaller.get(caller) ?? 0) > bounds.perCaller);
      cutOldest(() => total > bounds.total);
    },

    /** Cuts off the reader of a stream that takes nothing for too long although there is something to read. */
    async whileRead<T>(response: Response, work: () => Promise<T>): Promise<T> {
      let since: number | null = null;
      const drained = (): void => {
        since = null;
      };
      const look = setInterval(() => {
        if (!response.writableNeedDrain) since = null;
        else if (since === null) since = Date.now();
        else if (Date.now() - since >= bounds.stallMs) response.destroy();
      }, bounds.stallMs / 10).unref();
      response.on('drain', drained);
      try {
        return await work();
      } finally {
        clearInterval(look);
        response.off('drain', drained);
      }
    },
  };
};

export type Unsent = ReturnType<typeof createUnsent>;
