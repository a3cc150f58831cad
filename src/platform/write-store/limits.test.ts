import { EventEmitter } from 'node:events';
import type { MongoClient } from 'mongodb';
import { limitsFor, STORE_PROFILES } from './limits.ts';

const { local, 'replica-set': replicaSet } = STORE_PROFILES;

/** A client, and a function by which its server introduces itself. */
const aClient = () => {
  const events = new EventEmitter();
  const on = ((name: string, listener: () => void) => events.on(name, listener)) as MongoClient['on'];
  const says = (type: string, setName: string | null): void => {
    events.emit('serverDescriptionChanged', { newDescription: { type, setName } });
  };
  return { client: { on }, says };
};

describe('the limits of a write store', () => {
  it('are the smaller ones until the server has said what it is', () => {
    const { client, says } = aClient();
    const limits = limitsFor(client, null);
    expect(limits()).toBe(local);
    says('Unknown', null);
    expect(limits()).toBe(local);
  });

  it.each([
    ['the server of make run', 'RSPrimary', 'secantus', local],
    ['a replica set', 'RSPrimary', 'rs0', replicaSet],
    ['a sharded cluster', 'Mongos', null, replicaSet],
  ])('follow from what %s says it is', (_, type, setName, expected) => {
    const { client, says } = aClient();
    const limits = limitsFor(client, null);
    says(type, setName);
    expect(limits()).toBe(expected);
    says('Unknown', null);
    expect(limits()).toBe(expected);
  });

  it.each([
    ['local', 'rs0', local],
    ['replica-set', 'secantus', replicaSet],
  ] as const)('are those of the setting %s, whatever the server says', (profile, setName, expected) => {
    const { client, says } = aClient();
    const limits = limitsFor(client, profile);
    says('RSPrimary', setName);
    expect(limits()).toBe(expected);
  });
});
