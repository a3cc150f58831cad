import { Connection } from 'mongodb/lib/cmap/connection.js';

const { cleanup } = Connection.prototype;

/**
 * Ends statements that were being sent when their connection was lost. The driver waits for the socket to drain, and a
 * closed socket never does. Such a statement would hold its place until the process ends.
 */
export const endLostStatements = (): void => {
  Connection.prototype.cleanup = function (error) {
    cleanup.call(this, error);
    // The driver goes on after its wait, sees that the connection is closed and throws the error.
    this.socket.emit('drain');
  };
};
