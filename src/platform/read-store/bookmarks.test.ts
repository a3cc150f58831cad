import { createBookmarks } from './bookmarks.ts';

const bookmarkAt = (rank: number) => ({ values: [rank], rank });

describe('bookmarks of a list', () => {
  it('are found where they are before the row and near it, the nearest first', () => {
    const bookmarks = createBookmarks();
    for (const rank of [100, 300, 200, 400]) bookmarks.remember('newest', bookmarkAt(rank));
    expect(bookmarks.before('newest', 350, 1_000)).toEqual(bookmarkAt(300));
    expect(bookmarks.before('newest', 300, 1_000)).toEqual(bookmarkAt(300));
    expect(bookmarks.before('newest', 99, 1_000)).toBeNull();
    expect(bookmarks.before('newest', 700, 200)).toBeNull();
  });

  it('belong to one list, and a bookmark that was counted again has its new rank only', () => {
    const bookmarks = createBookmarks();
    bookmarks.remember('newest', bookmarkAt(100));
    bookmarks.remember('newest', { ...bookmarkAt(100), rank: 150 });
    expect(bookmarks.before('newest', 120, 1_000)).toBeNull();
    expect(bookmarks.before('newest', 160, 1_000)).toMatchObject({ rank: 150 });
    expect(bookmarks.before('largest', 160, 1_000)).toBeNull();
  });

  it('are forgotten, the oldest of a list and the list that was asked for longest ago', () => {
    const bookmarks = createBookmarks();
    for (let rank = 0; rank <= 32; rank += 1) bookmarks.remember('newest', bookmarkAt(rank));
    expect(bookmarks.before('newest', 0, 1_000)).toBeNull();
    expect(bookmarks.before('newest', 1, 1_000)).toEqual(bookmarkAt(1));
    for (let list = 0; list < 200; list += 1) bookmarks.remember(`of ${list}`, bookmarkAt(1));
    expect(bookmarks.before('newest', 40, 1_000)).toBeNull();
    expect(bookmarks.before('of 0', 40, 1_000)).toEqual(bookmarkAt(1));
  });
});
