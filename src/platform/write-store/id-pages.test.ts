import type { Database } from './database.ts';
import { createIdPages } from './id-pages.ts';

/** A database with a collection of these ids, and the cursors that were opened on it. */
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
  return { db: { collection: () => collection } as unknown as Database, opened };
};

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
