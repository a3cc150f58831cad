import { later, NOW } from '../../../test/builders.ts';
import { createWebhookRemoval } from './remove-old.ts';
import type { OldDelivery } from './write/deliveries.store.ts';

const DAY = 86_400;
/** The digits that the id of an event shares with the ids of its deliveries. */
const order = (number: number): string => `019a8b2c3d4e7f0091234${number}`;
const eventId = (number: number): OldDelivery['eventId'] => `evt_${order(number)}8000000000`;
/** A delivery of the event with this number, which ended forty days ago. */
const delivery = (number: number, changes: Partial<OldDelivery> = {}): OldDelivery => ({
  _id: `whd_${order(number)}0123456789`,
  eventId: eventId(number),
  version: 4,
  dueAt: null,
  updatedAt: later(-40 * DAY).toISOString(),
  ...changes,
});

async function* batchesOf<T>(all: readonly T[]): AsyncGenerator<readonly T[]> {
  for (const one of all) yield [one];
}

/**
 * Runs the removal over these deliveries and their events. Somebody else takes the `changed` ones at the last moment.
 */
const run = async (
  deliveries: readonly OldDelivery[],
  given: {
    readonly changed?: readonly string[];
    readonly subjects?: readonly string[];
    readonly days?: null;
  } = {},
) => {
  const removed: string[] = [];
  const forgotten: string[] = [];
  const asked: Date[] = [];
  const forget = async (ids: readonly string[]): Promise<void> => {
    forgotten.push(...ids);
  };
  const removal = createWebhookRemoval({
    store: {
      deliveriesBefore: (before) => {
        asked.push(before);
        return batchesOf(deliveries);
      },
      removeDeliveries: async (ended) => {
        const ids = ended.map(({ _id }) => _id).filter((id) => !given.changed?.includes(id));
        removed.push(...ids);
        return ids;
      },
      sentEventsBefore: () =>
        batchesOf([...new Set(deliveries.map((one) => one.eventId))].map((_id) => ({ _id }))),
      removeSentEvents: async (ids) => {
        removed.push(...ids);
      },
      nextEnd: async () => null,
      nextSentEnd: async () => null,
    },
    findSubjects: async () => given.subjects ?? [],
    views: { ready: async () => undefined, forgetDeliveries: forget, forgetEvents: forget },
    days: given.days === undefined ? 30 : given.days,
  });
  const count = await removal.run(NOW, new AbortController().signal, null);
  expect(forgotten).toEqual(removed);
  expect(count).toBe(removed.length);
  return { removed, asked };
};

describe('old webhooks', () => {
  it('are removed with what they sent, from the views, too', async () => {
    const [first, second] = [delivery(1), delivery(2)];
    const { removed, asked } = await run([first, second]);
    expect(removed).toEqual([first._id, second._id, first.eventId, second.eventId]);
    expect(asked).toEqual([later(-30 * DAY)]);
  });

  it.each([
    ['in flight', { dueAt: later(60).toISOString() }],
    ['sent again since', { updatedAt: later(-DAY).toISOString() }],
  ])('stay with their body while they are %s', async (_, changes) => {
    expect((await run([delivery(1, changes), delivery(2)])).removed).toEqual([delivery(2)._id, eventId(2)]);
  });

  it('stay with their body where somebody sends them again at that moment', async () => {
    expect((await run([delivery(1)], { changed: [delivery(1)._id] })).removed).toEqual([]);
  });

  it('leave the body there for another endpoint that waits for it', async () => {
    const other = delivery(2, { eventId: eventId(1), dueAt: later(60).toISOString() });
    expect((await run([delivery(1), other])).removed).toEqual([delivery(1)._id]);
  });

  it.each([eventId(1), delivery(1)._id])('stay while the outbox names %s', async (subject) => {
    const { removed } = await run([delivery(1), delivery(2)], { subjects: [subject] });
    expect(removed).toEqual([delivery(2)._id, eventId(2)]);
  });

  it('are kept for ever where no time is set', async () => {
    expect(await run([delivery(1)], { days: null })).toEqual({ removed: [], asked: [] });
  });
});
