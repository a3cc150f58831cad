import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** Bounds of a request's body, whether or not anybody reads it. */
type BodyBounds = {
  /** Far above what any route takes, so that a client reads why its body is refused. */
  readonly bytes: number;
  /** Pieces of any size: some programs send each value by itself. */
  readonly pieces: number;
  /** Each further piece has so many bytes on average; the smallest packets of the internet have 536. */
  readonly bytesPerPiece: number;
};
const BOUNDS: BodyBounds = { bytes: 64 * 1024 * 1024, pieces: 10_000, bytesPerPiece: 500 };

/**
 * Cuts off the connection of a request whose body takes more time than its length is worth. Each piece of it takes the
 * processor a microsecond, and a chunk (RFC 9112) may have a single byte. Bodies that are thrown away count as well.
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
    // Node.js itself would throw the rest of a body away without counting. It does so for what nobody has read from.
    response.prependOnceListener('finish', () => request.resume().read(0));
  });
};
