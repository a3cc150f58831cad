import { DAY_MS } from '../../src/kernel/durations.ts';
import { aCardRequest } from '../builders.ts';
import { indexCharges, VIEWS_ALONE } from '../support/charge-view.ts';
import { type Client, PATIENT, withKey } from '../support/client.ts';
import { useGateway } from '../support/gateway.ts';
import { parseCsv } from '../support/parse-csv.ts';

const gateway = useGateway({ ...PATIENT, ...VIEWS_ALONE });

/** Instants around midnight in three cities; in Los Angeles also the nights in which the clock is changed. */
const MOMENTS = [
  '2026-11-24T14:59:59.999Z', // the last moment of 24 November in Tokyo
  '2026-11-24T15:00:00.000Z', // 25 November begins in Tokyo
  '2026-11-25T02:59:59.999Z', // the last moment of 24 November in São Paulo
  '2026-11-25T03:00:00.000Z', // 25 November begins in São Paulo
  '2026-11-25T07:59:59.999Z', // the last moment of 24 November in Los Angeles
  '2026-11-25T08:00:00.000Z', // 25 November begins in Los Angeles
  '2026-11-25T23:59:59.999Z', // the last moment of 25 November in UTC
  '2026-11-26T02:59:59.999Z', // the last moment of 25 November in São Paulo
  '2026-11-26T07:59:59.999Z', // the last moment of 25 November in Los Angeles
  '2026-03-08T07:59:59.999Z', // before the day of 23 hours in Los Angeles
  '2026-03-08T08:00:00.000Z',
  '2026-03-09T06:59:59.999Z', // its last moment: the clock was put forward
  '2026-03-09T07:00:00.000Z',
];

/** The day that the calendar on the wall shows, told by the platform and not by the code under test. */
const dayIn = (moment: string, timeZone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(new Date(moment));

const ZONES = ['UTC', 'Asia/Tokyo', 'America/Sao_Paulo', 'America/Los_Angeles'];

describe('a day', () => {
  let client: Client;
  beforeAll(async () => {
    const merchant = await gateway().createMerchant();
    client = withKey(gateway, merchant.testKey);
    await indexCharges(gateway(), merchant.id, MOMENTS.length, (number) => ({
      createdAt: MOMENTS[number] ?? '',
      livemode: false,
    }));
  });

  it.each(ZONES)('is one of %s in a list and in its CSV', async (timeZone) => {
    for (const day of ['2026-11-24', '2026-11-25', '2026-11-26', '2026-03-08']) {
      const expected = MOMENTS.filter((moment) => dayIn(moment, timeZone) === day).sort();
      const query = `createdAt=${day}&timeZone=${encodeURIComponent(timeZone)}&orderBy=createdAt&size=100`;
      const listed = await client.get(`/v1/charges?${query}`).expect(200);
      expect(listed.body.data.map(({ createdAt }: { createdAt: string }) => createdAt)).toEqual(expected);

      const csv = await client.get(`/v1/charges?${query}`).set('Accept', 'text/csv').expect(200);
      const [titles = [], ...rows] = parseCsv(csv.text);
      const written = rows.map((row) => row[titles.indexOf('createdAt')] ?? '');
      expect(written.map((moment) => moment.slice(0, 10))).toEqual(expected.map(() => day));
      expect(written.map((moment) => new Date(moment).toISOString())).toEqual(expected);
    }
  });

  it('is one of UTC where no zone is named', async () => {
    const day = '2026-11-25';
    const listed = await client.get(`/v1/charges?createdAt=${day}&size=100`).expect(200);
    expect(listed.body.total).toBe(MOMENTS.filter((moment) => moment.startsWith(day)).length);
    const csv = await client.get(`/v1/charges?createdAt=${day}`).set('Accept', 'text/csv').expect(200);
    expect(csv.text).toContain('2026-11-25T08:00:00.000Z');
  });

  it('is none of a zone that there is not', async () => {
    const { body } = await client.get('/v1/charges?timeZone=Mars/Olympus').expect(400);
    expect(body.errors).toEqual([{ path: 'timeZone', message: expect.stringContaining('IANA') }]);
  });

  it.each(ZONES)('is one of %s in the summary of the statement', async (timeZone) => {
    const seller = withKey(gateway, (await gateway().createMerchant()).testKey);
    const paid = await seller.post('/v1/charges', aCardRequest({ amount: 10 })).expect(201);
    const lines = await seller.getAfter(paid.headers['x-consistency-token'], '/v1/statement');
    const day = dayIn(lines.body.data[0].createdAt, timeZone);
    const movementsOf = async (asked: string): Promise<number> => {
      const query = `from=${asked}&to=${asked}&timeZone=${encodeURIComponent(timeZone)}`;
      const { body } = await seller.get(`/v1/statement/summary?${query}`).expect(200);
      return body.data.flatMap(({ movements }: { movements: object[] }) => movements).length;
    };
    const next = new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10);
    expect(await movementsOf(day)).toBeGreaterThan(0);
    expect(await movementsOf(next)).toBe(0);
  });
});
