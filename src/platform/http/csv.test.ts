import { text } from 'node:stream/consumers';
import { parseCsv } from '../../../test/support/parse-csv.ts';
import { acceptsCsv, type CsvColumns, csvReply } from './csv.ts';

type Row = { readonly name: string | null; readonly amount: number };
const COLUMNS: CsvColumns<Row> = { name: (row) => row.name, amount: (row) => row.amount };

async function* batches(...all: (readonly Row[])[]): AsyncGenerator<readonly Row[]> {
  yield* all;
}

const csvOf = async (rows: AsyncIterable<readonly Row[]>): Promise<string> => {
  const { stream } = await csvReply('rows', COLUMNS, rows);
  return stream ? text(stream) : '';
};

describe('media types that a request accepts', () => {
  it.each([
    [undefined, false],
    ['*/*', false],
    ['application/json', false],
    ['text/html', false],
    ['text/csv', true],
    ['TEXT/CSV', true],
    ['text/*', true],
    ['text/csv; charset=utf-8', true],
    ['application/json; charset=utf-8, text/csv; q=0.5', false],
    ['text/csv, application/json', true],
    ['application/json, text/csv', false],
    ['application/json;q=0.5, text/csv', true],
    ['text/csv;q=0.5, application/json', false],
    ['text/csv;q=0.9, */*;q=0.1', true],
    ['text/csv;q=0', false],
    ['text/csv;q=0, */*', false],
    ['no type at all', false],
  ])('of %p is CSV: %p', (accept, expected) => {
    expect(acceptsCsv(accept === undefined ? {} : { accept })).toBe(expected);
  });
});

describe('a CSV answer', () => {
  it('has a line of titles and one line for each row, each ended by CR LF', async () => {
    const rows = batches([{ name: 'a', amount: 1 }], [], [{ name: 'b', amount: -2.5 }]);
    expect(await csvOf(rows)).toBe('name,amount\r\na,1\r\nb,-2.5\r\n');
  });

  it('has its titles where there are no rows', async () => {
    expect(await csvOf(batches())).toBe('name,amount\r\n');
    expect(await csvOf(batches([], []))).toBe('name,amount\r\n');
  });

  it.each([
    [null, ''],
    ['', ''],
    ['São Paulo', 'São Paulo'],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['two\r\nlines', '"two\r\nlines"'],
  ])('writes %p as %p', async (name, field) => {
    expect(await csvOf(batches([{ name, amount: 0 }]))).toBe(`name,amount\r\n${field},0\r\n`);
  });

  it.each([
    '=1+1',
    '+55 11 99999-0000',
    '-2',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '＝1',
    ' =1',
    '﹦1',
    '﹢1',
    '\u200b=1',
  ])('does not let %p become a formula', async (name) => {
    expect(await csvOf(batches([{ name, amount: 0 }]))).toMatch(/^name,amount\r\n"?'/);
  });

  it.each([
    'Ana;=cmd|x',
    'Silva, -João',
    'a,+1',
    'a\n=1',
    '1-2;a=b',
    JSON.stringify([1, '-2', '=3']),
    JSON.stringify({ '=a': '@b', '-c': [-1, '+2'], d: ';=e' }),
  ])('keeps %j as it is, because it begins no formula', async (name) => {
    expect(parseCsv(await csvOf(batches([{ name, amount: 0 }])))).toEqual([
      ['name', 'amount'],
      [name, '0'],
    ]);
  });

  it.each([' ', '"', ';', '\u2028', '\ufeff', '; "'])(
    'is written in proportion to its length where a text repeats %j',
    async (piece) => {
      const timeOf = async (times: number): Promise<number> => {
        const before = process.cpuUsage();
        await csvOf(batches([{ name: `;${piece.repeat(times)}x`, amount: 0 }]));
        const { user, system } = process.cpuUsage(before);
        return user + system;
      };
      await timeOf(10_000);
      // Twenty times the length takes some twenty times as long, and 400 times where each sign is compared with all. A
      // short text takes a part of a millisecond, which is too little to compare with.
      const short = Math.max(1_000, await timeOf(10_000));
      expect((await timeOf(200_000)) / short).toBeLessThan(150);
    },
  );

  it('takes a batch only when there is room for it', async () => {
    let taken = 0;
    async function* endless(): AsyncGenerator<readonly Row[]> {
      for (;;) {
        taken += 1;
        yield Array.from({ length: 1_000 }, () => ({ name: 'x'.repeat(100), amount: taken }));
      }
    }
    const { stream } = await csvReply('rows', COLUMNS, endless());
    stream?.once('readable', () => undefined);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(taken).toBeLessThan(5);
    stream?.destroy();
  });

  it('closes what the rows hold open where the client leaves', async () => {
    let isClosed = false;
    async function* rows(): AsyncGenerator<readonly Row[]> {
      try {
        for (;;) yield [{ name: 'a', amount: 1 }];
      } finally {
        isClosed = true;
      }
    }
    const { stream } = await csvReply('rows', COLUMNS, rows());
    stream?.destroy();
    await new Promise((resolve) => stream?.once('close', resolve));
    expect(isClosed).toBe(true);
  });

  it('fails at once where the first rows cannot be had, and cuts the stream for later ones', async () => {
    async function* failing(after: number): AsyncGenerator<readonly Row[]> {
      for (let batch = 0; batch < after; batch += 1) yield [{ name: 'a', amount: batch }];
      throw new Error('store is down');
    }
    await expect(csvReply('rows', COLUMNS, failing(0))).rejects.toThrow('store is down');
    await expect(csvOf(failing(2))).rejects.toThrow('store is down');
  });
});
