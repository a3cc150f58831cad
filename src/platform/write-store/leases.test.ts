import { LEASE_MS, leased, leasesEnd } from './leases.ts';

/** A leased read that returns rising numbers, with a clock of its own. */
const setting = () => {
  let now = 0;
  let reads = 0;
  let answer: () => Promise<number | null> = async () => reads;
  const read = leased<string, number | null>(
    () => {
      reads += 1;
      return answer();
    },
    () => now,
  );
  return {
    read,
    reads: () => reads,
    setTime: (ms: number) => {
      now = ms;
    },
    answerWith: (next: typeof answer) => {
      answer = next;
    },
  };
};

describe('a lease', () => {
  it('gives an answer again until it ends, for each key', async () => {
    const { read, setTime } = setting();
    expect(await read('one')).toBe(1);
    setTime(LEASE_MS - 1);
    expect(await read('one')).toBe(1);
    expect(await read('other')).toBe(2);
    setTime(LEASE_MS);
    expect(await read('one')).toBe(3);
    expect(await read('other')).toBe(2);
  });

  it('begins when the read begins, however late its answer comes', async () => {
    const { read, setTime, answerWith } = setting();
    let arrive: (answer: number) => void = () => undefined;
    answerWith(
      () =>
        new Promise((resolve) => {
          arrive = resolve;
        }),
    );
    const first = read('one');
    setTime(LEASE_MS);
    const second = read('one');
    arrive(2);
    answerWith(async () => 3);
    expect(await second).toBe(2);
    void first;
    setTime(2 * LEASE_MS);
    expect(await read('one')).toBe(3);
  });

  it('keeps neither null nor an error', async () => {
    const { read, reads, answerWith } = setting();
    answerWith(async () => null);
    expect([await read('one'), await read('one'), reads()]).toEqual([null, null, 2]);
    answerWith(() => Promise.reject(new Error('down')));
    await expect(read('one')).rejects.toThrow('down');
    answerWith(async () => 7);
    expect(await read('one')).toBe(7);
  });

  it('has ended in every process before a command that waited for it is answered', async () => {
    const startedAt = performance.now();
    await leasesEnd();
    expect(performance.now() - startedAt).toBeGreaterThan(LEASE_MS);
  });
});
