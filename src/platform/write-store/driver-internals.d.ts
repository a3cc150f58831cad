declare module 'mongodb/lib/cmap/connection.js' {
  import type { Socket } from 'node:net';

  /** A connection of the driver, as far as `lost-connections.ts` needs it. */
  export const Connection: {
    readonly prototype: {
      readonly socket: Socket;
      /** Closes it, so that its next use throws the error. */
      cleanup(error: Error): void;
    };
  };
}
