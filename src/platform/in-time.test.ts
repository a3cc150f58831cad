import { setTimeout as sleep } from 'node:timers/promises';
import { inTime } from './in-time.ts';

describe('work with a limit', () => {
  it('answers, or fails, as the work does where that is in time', async () => {
    expect(await inTime(1_000, 'late', async () => 'done')).toBe('done');
    await expect(inTime(1_000, 'late', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  });

  it('is 503 where the work hangs, whatever becomes of it afterwards', async () => {
    let fail: (error: Error) => void = () => undefined;
    const hangs = new Promise<never>((_, reject) => {
      fail = reject;
    });
    await expect(inTime(20, 'late', () => hangs)).rejects.toMatchObject({ statusCode: 503, message: 'late' });
    fail(new Error('nobody hears of it'));
    await sleep(10);
  });
});
