import { later, NOW } from '../../../../../test/builders.ts';
import { createSlots, type QueueOwner, type Slot } from './slots.ts';

/** Slots for queues that are named after their owner: `merchant:number`, or `master/merchant:number`. */
const setting = () => {
  const woken: string[] = [];
  let now = NOW;
  const findSlot = createSlots({
    findOwner: async (queue): Promise<QueueOwner> => {
      const [owner = ''] = queue.split(':');
      const [first = '', second] = owner.split('/');
      return second === undefined
        ? { merchantId: `mer_${first}`, masterId: null }
        : { merchantId: `mer_${second}`, masterId: `mer_${first}` };
    },
    wake: (queues) => woken.push(...queues),
    clock: () => now,
  });
  /** Asks for slots for this many queues of an owner; returns the ones that are granted. */
  const ask = async (owner: string, count: number, from = 0): Promise<readonly Slot[]> => {
    const slots: Slot[] = [];
    for (let n = from; n < from + count; n += 1) {
      const slot = await findSlot(`${owner}:${n}`);
      if (slot) slots.push(slot);
    }
    return slots;
  };
  const wait = (seconds: number): void => {
    now = later(seconds, now);
  };
  return { ask, woken, wait };
};

describe('slots of queues', () => {
  it('are twenty for a merchant, however many ask, and others find theirs', async () => {
    const { ask } = setting();
    expect(await ask('greedy', 500)).toHaveLength(20);
    expect(await ask('modest', 3)).toHaveLength(3);
  });

  it('are sixty for a master with all its sub-merchants', async () => {
    const { ask } = setting();
    for (let n = 0; n < 10; n += 1) await ask(`master/sub${n}`, 20);
    expect(await ask('master/another', 1)).toHaveLength(0);
    expect(await ask('master', 1)).toHaveLength(0);
    expect(await ask('other', 1)).toHaveLength(1);
  });

  it('are a hundred for those that work, and those that hang take none of them', async () => {
    const { ask } = setting();
    const hanging = (await Promise.all(['a', 'b', 'c', 'd', 'e'].map((owner) => ask(owner, 20)))).flat();
    expect(hanging).toHaveLength(100);
    expect(await ask('late', 1)).toHaveLength(0);
    for (const slot of hanging) slot.hang();
    expect(await ask('late', 20)).toHaveLength(20);
  });

  it('are ten for slow endpoints of a merchant, until they have been quick for a while', async () => {
    const { ask, wait } = setting();
    for (const slot of await ask('shop', 20)) {
      slot.hang();
      slot.leave();
    }
    expect(await ask('shop', 20)).toHaveLength(10);
    expect(await ask('shop', 10, 20)).toHaveLength(10);
    const after = setting();
    for (const slot of await after.ask('shop', 20)) {
      slot.hang();
      slot.leave();
    }
    after.wait(601);
    expect(await after.ask('shop', 20)).toHaveLength(20);
    wait(0);
  });

  it('are a hundred and fifty for all that are slow, and a hundred for the others then, too', async () => {
    const { ask } = setting();
    const owners = Array.from({ length: 30 }, (_, n) => `slow${n}`);
    for (const owner of owners)
      for (const slot of await ask(owner, 20)) {
        slot.hang();
        slot.leave();
      }
    const again = await Promise.all(owners.map((owner) => ask(owner, 20)));
    expect(again.flat()).toHaveLength(150);
    const quick = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((owner) => ask(owner, 20)));
    expect(quick.flat()).toHaveLength(100);
  });

  it('are offered to who waits as soon as one is left, or its queue hangs', async () => {
    const { ask, woken } = setting();
    const slots = await ask('shop', 22);
    slots[0]?.leave();
    expect(woken).toEqual(['shop:20']);
    expect(await ask('shop', 1, 20)).toHaveLength(1);
    // A hanging queue frees no slot for the same merchant.
    slots[1]?.hang();
    expect(woken).toEqual(['shop:20']);
    slots[1]?.leave();
    expect(woken).toEqual(['shop:20', 'shop:21']);
  });
});
