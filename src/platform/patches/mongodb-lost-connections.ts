import { Connection } from 'mongodb/lib/cmap/connection.js';

/** The driver's own method. */
export const { cleanup: cleanupOfDriver } = Connection.prototype;

/**
 * Ends statements that were being sent when their connection was lost. The driver waits for the socket to drain, which
 * a closed socket never does, so such a statement would never end. The driver's only option for this is `timeoutMS`,
 * which also limits cursors and transactions.
 */
export const endLostStatements = (): void => {
  Connection.prototype.cleanup = function (error) {
    cleanupOfDriver.call(this, error);
    // The driver continues after its wait, sees that the connection is closed, and throws the error.
    this.socket.emit('drain');
  };
};
