import { rangeOf } from './time-range.ts';

const shown = (query: Parameters<typeof rangeOf>[0]) => {
  const { from, to } = rangeOf(query);
  return [from, to].map((instant) => (instant === null ? null : new Date(instant).toISOString()));
};

describe('a range', () => {
  it('has no limits where none are given', () => {
    expect(shown({ timeZone: 'UTC' })).toEqual([null, null]);
  });

  it.each([
    ['UTC', '2026-03-01', '2026-03-31', '2026-03-01T00:00:00.000Z', '2026-04-01T00:00:00.000Z'],
    ['America/Sao_Paulo', '2026-03-01', '2026-03-01', '2026-03-01T03:00:00.000Z', '2026-03-02T03:00:00.000Z'],
    // A day of 23 hours, and one of 25.
    ['America/New_York', '2026-03-08', '2026-03-08', '2026-03-08T05:00:00.000Z', '2026-03-09T04:00:00.000Z'],
    ['America/New_York', '2026-11-01', '2026-11-01', '2026-11-01T04:00:00.000Z', '2026-11-02T05:00:00.000Z'],
    // A day that began at one o'clock.
    ['America/Sao_Paulo', '2018-11-04', '2018-11-04', '2018-11-04T03:00:00.000Z', '2018-11-05T02:00:00.000Z'],
    ['Asia/Kathmandu', '2024-02-29', '2024-02-29', '2024-02-28T18:15:00.000Z', '2024-02-29T18:15:00.000Z'],
  ])('in %s from %s to %s holds these whole days', (timeZone, from, to, first, end) => {
    expect(shown({ timeZone, from, to })).toEqual([first, end]);
  });

  it('takes instants as they are, and a clock without an offset as that of the zone', () => {
    const timeZone = 'Asia/Kathmandu';
    expect(shown({ timeZone, from: '2026-03-01T10:00:00-03:00', to: '2026-03-02T00:00:00.001Z' })).toEqual([
      '2026-03-01T13:00:00.000Z',
      '2026-03-02T00:00:00.001Z',
    ]);
    expect(shown({ timeZone, from: '2026-03-01T05:45' })).toEqual(['2026-03-01T00:00:00.000Z', null]);
  });

  it('may begin where it ends, and is empty then; a day may begin late', () => {
    const timeZone = 'UTC';
    const noon = '2026-03-01T12:00:00.000Z';
    expect(shown({ timeZone, from: noon, to: noon })).toEqual([noon, noon]);
    expect(shown({ timeZone, from: noon, to: '2026-03-01' })).toEqual([noon, '2026-03-02T00:00:00.000Z']);
  });

  it.each([
    ['2026-03-02', '2026-03-01'],
    ['2026-03-02T00:00:00Z', '2026-03-01'],
    ['2026-03-01T10:00:00Z', '2026-03-01T06:00:00-03:00'],
  ])('from %s to %s is refused', (from, to) => {
    expect(() => rangeOf({ timeZone: 'UTC', from, to })).toThrow('to must not lie before from');
  });
});
