import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** Limits of a request's body, whether or not anybody reads it. */
type BodyBounds = {
  /** Far above the limit of any route, so that a client can read why its body is refused. */
  readonly bytes: number;
  /** Pieces that may have any size, because some programs send each value on its own. */
  readonly pieces: number;
  /** Further pieces need this many bytes on average; the smallest packets on the internet have 536. */
  readonly bytesPerPiece: number;
};
const BOUNDS: BodyBounds = { bytes: 64 * 1024 * 1024, pieces: 10_000, bytesPerPiece: 500 };

/**
 * Cuts off the connection of a request whose body costs more time than its length justifies. Each piece takes the
 * processor a microsecond, and a chunk (RFC 9112) may have a single byte. Bodies that are discarded count as well.
 */
export const boundBodies = (server: Server, bounds = BOUNDS): void => {
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const { push } = request;
    let [bytes, pieces] = [0, 0];
    request.push = (piece: Buffer | null, encoding) => {
      bytes += piece?.length ?? 0;
      pieces += 1;
      if (bytes > bounds.bytes || pieces > bounds.pieces + bytes / bounds.bytesPerPiece)
        request.socket.destroy();
      return push.call(request, piece, encoding);
    };
    // Node.js itself would discard the rest of a body that nobody has read from, without counting it.
    response.prependOnceListener('finish', () => request.resume().read(0));
  });
};
