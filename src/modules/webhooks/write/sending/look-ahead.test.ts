import { aSentEvent, later, NOW } from '../../../../../test/builders.ts';
import { deliveryToUrl, type WebhookDelivery } from '../delivery.ts';
import { createLookAhead } from './look-ahead.ts';

const aDelivery = (number: number): WebhookDelivery =>
  deliveryToUrl(aSentEvent({ id: `evt_${number}` }), 'postback', 'https://postback.test/', NOW);

const ONE = { queue: 'one', livemode: null };

/** A look-ahead over queues of 250 deliveries each, which counts how often it reads from the store. */
const setting = () => {
  let now = NOW;
  let reads = 0;
  const rows = Array.from({ length: 250 }, (_, number) => aDelivery(number));
  const findDue = async (_queue: string, _tenant: string, _now: Date, limit: number) => {
    reads += 1;
    return rows.slice(0, limit);
  };
  const ahead = createLookAhead(findDue, () => now);
  return {
    ahead,
    take: async (limit: number, queue = 'one') =>
      (await ahead.take({ queue, livemode: null }, 'mer_1', limit)).map(({ eventId }) =>
        Number(eventId.slice(4)),
      ),
    reads: () => reads,
    setTime(seconds: number) {
      now = later(seconds);
    },
  };
};

describe('looking ahead in a queue', () => {
  it('reads once for many turns, and again where nothing is left', async () => {
    const { take, reads } = setting();
    for (let turn = 0; turn < 5; turn += 1) expect((await take(20))[0]).toBe(turn * 20);
    expect(reads()).toBe(1);
    expect(await take(20)).toEqual(Array.from({ length: 20 }, (_, number) => number));
    expect(reads()).toBe(2);
  });

  it('hands out first what was given back', async () => {
    const { ahead, take } = setting();
    const [, ...rest] = await ahead.take(ONE, 'mer_1', 3);
    ahead.giveBack(ONE, rest);
    expect(await take(4)).toEqual([1, 2, 3, 4]);
  });

  it('keeps queues apart, and believes what it has read for half a minute', async () => {
    const { take, reads, setTime } = setting();
    await take(20);
    expect((await take(20, 'other'))[0]).toBe(0);
    setTime(29);
    expect((await take(20))[0]).toBe(20);
    expect(reads()).toBe(2);
    setTime(30);
    expect((await take(20))[0]).toBe(0);
    expect(reads()).toBe(3);
  });

  it('remembers as many queues as there are places, those that were asked for last', async () => {
    const { take, reads } = setting();
    for (let queue = 0; queue <= 250; queue += 1) await take(20, `${queue}`);
    expect((await take(20, '1'))[0]).toBe(20);
    expect(reads()).toBe(251);
    expect((await take(20, '0'))[0]).toBe(0);
  });
});
