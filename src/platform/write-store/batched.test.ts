import { batched } from './batched.ts';
import { STORE_PROFILES, type StoreLimits } from './limits.ts';

const turn = () => new Promise((done) => setImmediate(done));

/** A reader whose statements end when the test lets them. */
const aReader = (limits: Partial<StoreLimits> = {}) => {
  const statements: { readonly keys: readonly string[]; end(error?: Error): Promise<void> }[] = [];
  const read = batched<string, string>(
    { limits: () => ({ ...STORE_PROFILES.local, ...limits }) },
    (keys) =>
      new Promise((resolve, reject) => {
        statements.push({
          keys,
          async end(error) {
            if (error) reject(error);
            else resolve(keys.map((key) => `value of ${key}`));
            await turn();
          },
        });
      }),
  );
  return { read, statements };
};

describe('reads that come together', () => {
  it('are one statement where they come in one turn of the event loop', async () => {
    const { read, statements } = aReader();
    const answers = Promise.all(['a', 'b', 'a'].map(read));
    expect(statements).toHaveLength(0);
    await turn();
    expect(statements.map(({ keys }) => keys)).toEqual([['a', 'b', 'a']]);
    await statements[0]?.end();
    expect(await answers).toEqual(['a', 'b', 'a'].map((key) => `value of ${key}`));
  });

  it('wait for nobody while few are in flight', async () => {
    const { read, statements } = aReader();
    for (const key of ['a', 'b']) {
      void read(key);
      await turn();
    }
    expect(statements.map(({ keys }) => keys)).toEqual([['a'], ['b']]);
  });

  it('share the next statement while others are in flight, and each has its own answer', async () => {
    const { read, statements } = aReader();
    const answers: Promise<string>[] = [];
    for (const key of ['a', 'b', 'c', 'd', 'c']) {
      answers.push(read(key));
      await turn();
    }
    expect(statements).toHaveLength(2);
    await statements[0]?.end();
    expect(statements[2]?.keys).toEqual(['c', 'd', 'c']);
    for (const { end } of statements.slice(1)) await end();
    expect(await Promise.all(answers)).toEqual(['a', 'b', 'c', 'd', 'c'].map((key) => `value of ${key}`));
  });

  it('are at most so many in one statement', async () => {
    const { read, statements } = aReader({ idsAtOnce: 2 });
    for (const key of ['a', 'b', 'c', 'd', 'e']) void read(key);
    await turn();
    await statements[0]?.end();
    expect(statements.map(({ keys }) => keys)).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
  });

  it('are never answered by a statement that was sent before them, so that a revocation counts at once', async () => {
    const { read, statements } = aReader();
    const before = read('a');
    await turn();
    const later = read('a');
    await turn();
    await statements[0]?.end();
    await before;
    expect(statements.map(({ keys }) => keys)).toEqual([['a'], ['a']]);
    await statements[1]?.end();
    expect(await later).toBe('value of a');
  });

  it('go on after a statement that fails, and while one hangs', async () => {
    const { read, statements } = aReader();
    void read('hangs');
    await turn();
    const failed = read('fails');
    await turn();
    const next = read('next');
    await turn();
    await statements[1]?.end(new Error('down'));
    await expect(failed).rejects.toThrow('down');
    await statements[2]?.end();
    expect(await next).toBe('value of next');
  });
});
