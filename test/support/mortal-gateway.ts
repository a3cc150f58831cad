import { AsyncLocalStorage } from 'node:async_hooks';
import type { Container } from 'inversify';
import { ClientSession, Collection } from 'mongodb';
import { loadConfig } from '../../src/main/config.ts';
import { createContainer } from '../../src/main/container.ts';
import * as platform from '../../src/platform/platform.module.ts';
import { startCutOff } from './cut-off.ts';
import { assertListed, watchStatements } from './statements.ts';
import { assertWithinTenants, watchTransactions } from './tenants.ts';

// The driver's `insertMany` is a `bulkWrite`.
const WRITES = ['insertOne', 'bulkWrite', 'updateOne', 'updateMany', 'deleteMany', 'findOneAndUpdate'];

type Life = {
  writes: number;
  readonly dieAt: number;
  readonly die: (session: ClientSession | null) => void;
};
const lives = new AsyncLocalStorage<Life>();

const sessionOf = (target: unknown, args: readonly unknown[]): ClientSession | null => {
  if (target instanceof ClientSession) return target;
  const options = args.find((arg) => typeof arg === 'object' && arg !== null && 'session' in arg);
  return (options as { readonly session?: ClientSession } | undefined)?.session ?? null;
};

/** Stops everything before write number `dieAt` of a life: work that had begun never continues. */
const makeMortal = (prototype: object, name: string): void => {
  const methods = prototype as Record<string, (...args: unknown[]) => unknown>;
  const original = methods[name];
  methods[name] = function (this: unknown, ...args: unknown[]) {
    const life = lives.getStore();
    if (life) {
      life.writes += 1;
      if (life.writes === life.dieAt) life.die(sessionOf(this, args));
      if (life.dieAt !== 0 && life.writes >= life.dieAt) return new Promise(() => undefined);
    }
    return original?.apply(this, args);
  };
};
for (const name of WRITES) makeMortal(Collection.prototype, name);
makeMortal(ClientSession.prototype, 'commitTransaction');

/**
 * Runs `work` with its own parts of a gateway, which are killed before write number `dieAt` to the write store. As with
 * SIGKILL, its connections end, nothing is closed properly, and none of its code continues. Returns the number of
 * writes; with 0 as `dieAt` it lives to the end. Throws where it sent statements that a gateway by tenant must not
 * send.
 */
export const runMortal = async (
  variables: Readonly<Record<string, string>>,
  dieAt: number,
  work: (container: Container) => Promise<unknown>,
): Promise<{ readonly writes: number; readonly died: boolean }> => {
  const way = await startCutOff(variables.MONGODB_URI ?? '');
  // A busy machine may take long to connect, and no death is to look like that.
  const uri = `${way.url}&monitorCommands=true&waitQueueTimeoutMS=60000`;
  const container = createContainer(loadConfig({ ...variables, MONGODB_URI: uri }));
  container.get(platform.services).redis.on('error', () => undefined);

  const { client } = container.get(platform.services).writeStore;
  const transactions = watchTransactions(client);
  const statements = watchStatements(client);

  let life: Life | null = null;
  const end = await new Promise<'died' | 'done'>((resolve, reject) => {
    const die = async (session: ClientSession | null): Promise<void> => {
      // The server itself does this with an abandoned transaction, but only after some seconds.
      if (session?.inTransaction()) await session.abortTransaction().catch(() => undefined);
      way.cut().catch(reject);
      resolve('died');
    };
    life = { writes: 0, dieAt, die };
    lives.run(life, () => work(container)).then(() => resolve('done'), reject);
  });
  container.get(platform.services).redis.disconnect();
  await container.get(platform.services).readStore.client.close();
  const closed = client.close(true);
  if (end === 'done') {
    await closed;
    await way.cut();
  } else closed.catch(() => undefined);
  assertListed(statements());
  assertWithinTenants(transactions());
  return { writes: (life as Life | null)?.writes ?? 0, died: end === 'died' };
};
