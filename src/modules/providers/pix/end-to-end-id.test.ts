import { newEndToEndId } from './end-to-end-id.ts';

const at = new Date('2026-02-03T04:05:59.999Z');

describe('an end-to-end identifier', () => {
  it('is E, the institution, the UTC minute and eleven alphanumerics', () => {
    expect(newEndToEndId('12345678', at)).toMatch(/^E12345678202602030405[A-Za-z0-9]{11}$/);
  });

  it('has 32 characters and differs from the next one', () => {
    const ids = Array.from({ length: 1_000 }, () => newEndToEndId('12345678', at));
    expect(new Set(ids).size).toBe(1_000);
    expect(ids.every((id) => id.length === 32)).toBe(true);
  });

  it('is not made for something that is no ISPB', () => {
    expect(() => newEndToEndId('1234', at)).toThrow(RangeError);
  });
});
