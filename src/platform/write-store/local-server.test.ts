import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Db } from 'mongodb';
import { createIdPages, idsBefore, upToMoment } from './local-server.ts';

/** Files that speak to MongoDB; `$lte`, descending indexes and `client.bulkWrite` get wrong answers locally. */
const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => ({ file, text: readFileSync(join('src', file), 'utf8') }));

/** A database whose collection has these ids, and the cursors that were opened on it. */
const dbOf = (ids: readonly string[]) => {
  const opened: object[] = [];
  const collection = {
    find(filter: { readonly _id?: { readonly $gt: string } }) {
      opened.push(filter);
      const rest = ids.filter((id) => id > (filter._id?.$gt ?? ''));
      const cursor = {
        sort: () => cursor,
        batchSize: () => cursor,
        next: async () => {
          const [_id] = rest.splice(0, 1);
          return _id === undefined ? null : { _id };
        },
        close: async () => undefined,
      };
      return cursor;
    },
  };
  return { db: { collection: () => collection } as unknown as Db, opened };
};

describe('queries for the local server', () => {
  it.each([
    ['an included upper bound', /\$lte:/],
    ['a bulk write over several collections', /client\.bulkWrite\(/],
    ['a descending index', /createIndex\(\s*\{[^}]*-1/],
  ])('never use %s', (_, pattern) => {
    expect(sources.length).toBeGreaterThan(200);
    const using = sources.filter(({ text }) => pattern.test(text));
    expect(using.map(({ file }) => file)).toEqual([]);
  });

  it('select times up to and with a moment', () => {
    expect(upToMoment(new Date('2026-01-01T00:00:00.000Z'))).toEqual({
      $gte: '0',
      $lt: '2026-01-01T00:00:00.001Z',
    });
  });

  it('select ids that were made before a moment', () => {
    expect(idsBefore('evt', new Date(1))).toEqual({ $gte: 'evt_', $lt: 'evt_000000000001' });
  });
});

describe('pages of ids', () => {
  it('follow one another from one cursor', async () => {
    const { db, opened } = dbOf(['a', 'b', 'c']);
    const next = createIdPages(db, 2);
    expect(await next('things', null)).toEqual({ ids: ['a', 'b'], upTo: 'b' });
    expect(await next('things', 'b')).toEqual({ ids: ['c'], upTo: null });
    expect(opened).toEqual([{}]);
  });

  it('open another cursor at another place', async () => {
    const { db, opened } = dbOf(['a', 'b', 'c']);
    const next = createIdPages(db, 1);
    await next('things', null);
    expect(await next('things', 'b')).toEqual({ ids: ['c'], upTo: 'c' });
    expect(await next('others', 'c')).toEqual({ ids: [], upTo: null });
    expect(opened).toEqual([{}, { _id: { $gt: 'b' } }, { _id: { $gt: 'c' } }]);
  });
});
