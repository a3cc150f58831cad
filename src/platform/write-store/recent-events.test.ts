import type { Db } from 'mongodb';
import type { DomainEvent } from '../../kernel/event.ts';
import { newCommitId } from '../../kernel/ids.ts';
import { databaseOf } from './database.ts';
import { outboxRow } from './outbox.ts';
import { createRecentEvents } from './recent-events.ts';

const START = Date.UTC(2026, 0, 15);
let now: number;
let stored: DomainEvent[];
let asked: string[][];

const eventOf = (id: string, of: string): DomainEvent => ({ id, data: { id: of } }) as unknown as DomainEvent;
const rowOf = (subject: string, failures = 0) => ({
  ...outboxRow('webhooks', subject, 'chg_1', newCommitId(), new Date(now)),
  failures,
});
/** A write store with the `stored` events, which records the ids that it is asked for. */
const db = databaseOf({
  collection: () => ({
    find: ({ _id: { $in: ids } }: { readonly _id: { readonly $in: readonly string[] } }) => ({
      toArray: async () => {
        asked.push([...ids]);
        return stored.filter(({ id }) => ids.includes(id));
      },
    }),
  }),
} as unknown as Db);
const create = () => createRecentEvents({ db, clock: () => new Date(now) });

beforeEach(() => {
  now = START;
  stored = [eventOf('evt_1', 'stored'), eventOf('evt_2', 'stored')];
  asked = [];
});

const found = async (events: ReturnType<typeof create>, ...rows: readonly ReturnType<typeof rowOf>[]) =>
  (await events.find(rows)).map(({ id, data }) => `${id} ${data.id}`);

describe('events that this process has committed', () => {
  it('are not read again', async () => {
    const events = create();
    events.remember([eventOf('evt_1', 'remembered')]);
    expect(await found(events, rowOf('evt_1'))).toEqual(['evt_1 remembered']);
    expect(asked).toEqual([]);
  });

  it('are found beside those of other processes', async () => {
    const events = create();
    events.remember([eventOf('evt_1', 'remembered')]);
    expect(await found(events, rowOf('evt_1'), rowOf('evt_2'), rowOf('evt_3'))).toEqual([
      'evt_1 remembered',
      'evt_2 stored',
    ]);
    expect(asked).toEqual([['evt_2', 'evt_3']]);
  });

  it('are read for a row that failed, because they may have been erased since', async () => {
    const events = create();
    events.remember([eventOf('evt_1', 'remembered')]);
    expect(await found(events, rowOf('evt_1', 1))).toEqual(['evt_1 stored']);
  });

  it('are forgotten after five seconds', async () => {
    const events = create();
    events.remember([eventOf('evt_1', 'remembered')]);
    now += 4_999;
    expect(await found(events, rowOf('evt_1'))).toEqual(['evt_1 remembered']);
    now += 1;
    expect(await found(events, rowOf('evt_1'))).toEqual(['evt_1 stored']);
  });

  it('are forgotten before that where there are more than 5,000', async () => {
    const events = create();
    events.remember([eventOf('evt_1', 'remembered')]);
    events.remember(Array.from({ length: 5_000 }, (_, index) => eventOf(`evt_x${index}`, 'remembered')));
    expect(await found(events, rowOf('evt_1'), rowOf('evt_x0'))).toEqual([
      'evt_x0 remembered',
      'evt_1 stored',
    ]);
  });
});
