import type { Request } from 'express';

/** Bytes of bodies that are still arriving, for all requests of this process together. */
const BUDGET_BYTES = 64 * 1024 * 1024;

type Arriving = { readonly request: Request; bytes: number };

/**
 * Keeps the memory of bodies within a budget while they arrive. Beyond the budget, the connection that has been sending
 * for the longest time is cut off, because a client in good faith sends at once.
 */
export const createBodyMemory = (budget = BUDGET_BYTES) => {
  const arriving = new Set<Arriving>();
  let bytes = 0;
  const forget = (body: Arriving): void => {
    if (arriving.delete(body)) bytes -= body.bytes;
  };
  const take = (body: Arriving, more: number): void => {
    body.bytes += more;
    bytes += more;
    for (const slowest of arriving) {
      if (bytes <= budget) return;
      forget(slowest);
      slowest.request.socket.destroy();
    }
  };
  return {
    /** Counts what a request sends from now on; calling the returned function ends that. */
    watch(request: Request, limit: number): () => void {
      const body: Arriving = { request, bytes: 0 };
      arriving.add(body);
      // A compressed body may grow to the limit within one chunk.
      if (request.headers['content-encoding'] !== undefined) take(body, limit);
      else request.on('data', (chunk: Buffer) => arriving.has(body) && take(body, chunk.length));
      return () => forget(body);
    },
  };
};
