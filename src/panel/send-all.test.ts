import { PorticoError } from '../client/client.ts';
import { groupsOf, sendAll } from './send-all.ts';

const refusal = (statusCode: number, message = 'no'): PorticoError =>
  new PorticoError({ code: null, statusCode, message, requestId: null });
const ROWS = [1, 2, 3, 4, 5, 6];

const run = async (
  send: (row: number) => Promise<unknown>,
  changes: Partial<Parameters<typeof sendAll>[2]> = {},
) => {
  let answered = 0;
  const how = { atOnce: 2, signal: new AbortController().signal, pause: async () => undefined };
  const outcome = await sendAll(ROWS, send, { ...how, onAnswer: () => (answered += 1), ...changes });
  return { ...outcome, answered };
};

describe('commands for a selection', () => {
  it('are sent once for each row, and told by row', async () => {
    const sent: number[] = [];
    const told = await run(async (row) => {
      sent.push(row);
      if (row === 2) throw refusal(422);
      return row === 5 ? { id: 'prp_1' } : { id: 'pay_1' };
    });
    expect(sent.toSorted()).toEqual(ROWS);
    expect(told).toMatchObject({ done: 4, proposed: 1, left: [], answered: 6 });
    expect(told.refused.map(({ row }) => row)).toEqual([2]);
  });

  it('wait where the gateway takes no more of somebody, and go on with the same row', async () => {
    const sent: number[] = [];
    const told = await run(async (row) => {
      sent.push(row);
      if (sent.length === 3) throw refusal(429);
    });
    expect(told).toMatchObject({ done: 6, refused: [], left: [] });
    expect(sent).toHaveLength(7);
  });

  it.each([
    ['a store is down', 503],
    ['there is no answer', 0],
    ['the session has ended', 401],
  ])('end where %s, and leave the others', async (_, statusCode) => {
    const told = await run(async (row) => {
      if (row === 2) throw refusal(statusCode);
    });
    expect(told.refused.map(({ row }) => row)).toEqual([2]);
    expect(told.left.length).toBeGreaterThan(2);
    expect(told.done + told.refused.length + told.left.length).toBe(ROWS.length);
  });

  it('end when somebody stops them', async () => {
    const stop = new AbortController();
    const told = await run(
      async (row) => {
        if (row === 2) stop.abort();
      },
      { signal: stop.signal },
    );
    expect(told).toMatchObject({ done: 2, refused: [], left: [3, 4, 5, 6], answered: 2 });
  });

  it('are refused for reasons that are read once each', () => {
    const of = (row: number, message: string) => ({ row, error: refusal(422, message) });
    const groups = groupsOf([of(1, 'no cover'), of(2, 'decided'), of(3, 'no cover'), of(4, 'no cover')]);
    expect(groups.map((group) => group.map(({ row }) => row))).toEqual([[1, 3, 4], [2]]);
  });
});
