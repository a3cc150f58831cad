declare module 'mongodb/lib/cmap/connection.js' {
  import type { Duplex } from 'node:stream';

  type Options = {
    readonly id: number;
    readonly generation: number;
    readonly monitorCommands: boolean;
    readonly hostAddress: { toString(): string };
  };
  type Command = { toBin(): Promise<readonly Buffer[]> };

  /** The part of the driver's connection that `mongodb-lost-connections.ts` and its test need. */
  export class Connection {
    constructor(socket: Duplex, options: Options);
    readonly socket: Duplex;
    /** Closes the connection, so that its next use throws the error. */
    cleanup(error: Error): void;
    /** Resolves once the socket has taken all bytes. */
    writeCommand(command: Command, options: { readonly agreedCompressor: 'none' }): Promise<void>;
  }
}
