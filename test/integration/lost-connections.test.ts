import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { openWriteStore } from '../../src/platform/write-store/mongo.ts';
import { startCutOff } from '../support/cut-off.ts';

/** The sockets that this process opens while `use` runs, in their order. */
const socketsOpenedBy = async (use: () => Promise<unknown>): Promise<readonly Socket[]> => {
  const opened: Socket[] = [];
  const note = (message: unknown) => opened.push((message as { readonly socket: Socket }).socket);
  subscribe('net.client.socket', note);
  try {
    await use();
  } finally {
    unsubscribe('net.client.socket', note);
  }
  return opened;
};

it('ends a statement that is sent while its connection closes, in the moment before the driver notices', async () => {
  const way = await startCutOff(process.env.MONGODB_URI ?? '');
  const { client, db } = openWriteStore(`${way.url}&maxPoolSize=1`, 'lost');
  try {
    const sockets = await socketsOpenedBy(() => db.collection('things').findOne());
    const port = Number(new URL(way.url).port);
    const inUse = sockets.findLast(({ remotePort }) => remotePort === port) as Socket;
    const sent = once(inUse, 'end').then(async () => {
      await setImmediate();
      return db
        .collection('things')
        .insertOne({})
        .then(
          () => 'stored',
          (error: Error) => error.name,
        );
    });
    await way.cut();
    expect(await sent).toMatch(/^Mongo/);
    await way.mend();
    expect(await db.collection('things').findOne()).toBeNull();
  } finally {
    await client.close();
    await way.cut();
  }
});
