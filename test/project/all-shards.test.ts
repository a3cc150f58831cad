import { readFileSync } from 'node:fs';
import { SPREAD_COLLECTIONS } from '../../src/main/tenants.ts';
import { tableOfUnsharded, UNSHARDED_COLLECTIONS } from '../../src/main/unsharded.ts';
import { ASKING_ALL, mayAskAll, tableOfAskingAll } from '../support/asking-all.ts';

describe('collections that are not sharded', () => {
  it('are in the guide on scaling as they are in the list, and none of them is sharded', () => {
    expect(readFileSync('docs/scaling.md', 'utf8')).toContain(`\n${tableOfUnsharded()}\n`);
    expect(UNSHARDED_COLLECTIONS.filter((name) => SPREAD_COLLECTIONS.includes(name))).toEqual([]);
  });
});

describe('statements that ask every shard', () => {
  const all = ASKING_ALL.flatMap(({ statements }) => statements);

  it('are in the guide on scaling as they are in the list', () => {
    expect(readFileSync('docs/scaling.md', 'utf8')).toContain(`\n${tableOfAskingAll()}\n`);
  });

  it('name collections that are spread, and their fields in order', () => {
    for (const statement of all) {
      const [collection = '', fields = ''] = statement.split(': ');
      expect(collection === 'any' || SPREAD_COLLECTIONS.includes(collection) ? null : statement).toBeNull();
      expect(fields.split(', ')).toEqual(fields.split(', ').sort());
    }
    expect(new Set(all).size).toBe(all.length);
  });

  it('are no others', () => {
    expect(mayAskAll('charges: reconcileAt')).toBe(true);
    expect(mayAskAll('refunds: _id')).toBe(true);
    expect(mayAskAll('merchants: _id')).toBe(false);
    expect(mayAskAll('charges: duplicateKey')).toBe(false);
    expect(mayAskAll('journals: reconcileAt')).toBe(false);
  });
});
