import { Duplex } from 'node:stream';
import { Connection } from 'mongodb/lib/cmap/connection.js';
import { cleanupOfDriver, endLostStatements } from './mongodb-lost-connections.ts';

/**
 * Loses a connection whose server takes nothing while a statement is being sent; returns whether the statement ended.
 */
const endsWhenLost = async (): Promise<boolean> => {
  const socket = new Duplex({ highWaterMark: 1, read: () => undefined, write: () => undefined });
  const hostAddress = { toString: () => '127.0.0.1:1' };
  const connection = new Connection(socket, { id: 1, generation: 0, monitorCommands: false, hostAddress });
  const statement = { toBin: async () => [Buffer.from('a statement')] };
  let hasEnded = false;
  const end = (): void => {
    hasEnded = true;
  };
  void connection.writeCommand(statement, { agreedCompressor: 'none' }).then(end, end);
  await new Promise(setImmediate);
  connection.cleanup(new Error('lost'));
  for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
  return hasEnded;
};

afterEach(() => {
  endLostStatements();
});

describe('a statement that is being sent when its connection is lost', () => {
  it('ends', async () => {
    endLostStatements();
    expect(await endsWhenLost()).toBe(true);
  });

  it('never ends with the driver alone; once it does, the patch can go', async () => {
    Connection.prototype.cleanup = cleanupOfDriver;
    expect(await endsWhenLost()).toBe(false);
  });
});
