import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { idsBefore, upToMoment } from './ranges.ts';

/** The server of `make run` handles `$lte`, descending indexes, and `client.bulkWrite` in a transaction wrongly. */
const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => ({ file, text: readFileSync(join('src', file), 'utf8') }));

describe('sources that speak to MongoDB', () => {
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
