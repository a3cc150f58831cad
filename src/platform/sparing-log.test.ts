import { createFakeLogger } from '../../test/fakes/logger.ts';
import { createSparingLog } from './sparing-log.ts';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

describe('a thing that goes on happening', () => {
  it('is logged at once, then once a minute with its count, and no more once it is over', () => {
    const { logger, fields } = createFakeLogger();
    const complain = createSparingLog(logger, 'error');
    const happen = (): void => complain(new Error('down'), { loop: 'a' }, 'it failed');
    happen();
    for (let second = 1; second <= 90; second += 1) {
      jest.advanceTimersByTime(1_000);
      happen();
    }
    jest.advanceTimersByTime(300_000);
    const err = expect.any(Error);
    expect(fields).toEqual([
      { err, loop: 'a' },
      { err, loop: 'a', times: 59 },
      { err, loop: 'a', times: 31 },
    ]);
    happen();
    expect(fields.at(-1)).toEqual({ err, loop: 'a' });
  });

  it('is told apart from another error, and from another message', () => {
    const { logger, lines } = createFakeLogger();
    const complain = createSparingLog(logger, 'warn');
    for (let times = 1; times <= 3; times += 1) {
      complain(new Error('down'), {}, 'it failed');
      complain(new Error('full'), {}, 'it failed');
      complain('down', {}, 'so did that');
    }
    expect(lines).toEqual(['warn it failed', 'warn it failed', 'warn so did that']);
  });
});
