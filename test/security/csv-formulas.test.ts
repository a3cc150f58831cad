import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { csvReply } from '../../src/platform/http/csv.ts';
import { aCardRequest } from '../builders.ts';
import { type Client, operator, PATIENT, withKey } from '../support/client.ts';
import { useGateway } from '../support/gateway.ts';
import { parseCsv } from '../support/parse-csv.ts';
import { volume } from '../support/volume.ts';

const gateway = useGateway(PATIENT);

const FORMULA = /^[\s"']*[=+\-@＝＋－＠]|^'*[\t\r\n]/;

/** Cells that a spreadsheet would run: numbers are no formulas; an apostrophe makes a text of what follows. */
const formulasIn = (csv: string): string[] =>
  parseCsv(csv)
    .flat()
    .filter((cell) => FORMULA.test(cell) && !cell.startsWith("'") && !/^-?[\d.]+$/.test(cell));

/** The text that a merchant gave: the apostrophe before a formula is the gateway's. */
const givenBy = (cell: string): string =>
  cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell;

const csvOf = async (values: readonly string[]): Promise<string> => {
  async function* batches() {
    yield [values];
  }
  const columns = Object.fromEntries(
    values.map((_, index) => [`column ${index}`, (row: readonly string[]) => row[index] ?? '']),
  );
  const { stream } = await csvReply('x', columns, batches());
  return stream ? text(stream) : '';
};

describe('a text that a merchant or payer gives', () => {
  it('begins no formula in a CSV, and each cell is read back as it was given', async () => {
    const piece = fc.constantFrom(
      '=',
      '+',
      '-',
      '@',
      '＝',
      ';',
      ',',
      '|',
      '\t',
      '\n',
      '\r',
      '"',
      "'",
      ' ',
      'a',
      'cmd',
    );
    const value = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
    await fc.assert(
      fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 3 }), async (values) => {
        const csv = await csvOf(values);
        expect(formulasIn(csv)).toEqual([]);
        expect(parseCsv(csv)[1]?.map(givenBy)).toEqual(values);
      }),
      { numRuns: volume({ usual: 2_000, proof: 100_000 }) },
    );
  });

  it('begins none in the list of charges either', async () => {
    const merchant = await gateway().createMerchant();
    const client: Client = withKey(gateway, merchant.testKey);
    const names = ['Ana;=cmd|x', '=SUM(A1)', 'Silva, -João', '"=1', "-2'"];
    const metadata = { list: [1, '-2', '=3'], '+name': ';=cmd', note: 'a, -b' };
    for (const name of names)
      await client
        .post(
          '/v1/charges',
          aCardRequest({ customer: { name, email: 'ana@example.test' }, reference: name, metadata }),
        )
        .expect(201);
    const admin = await operator(gateway, 'test');
    const csv = await admin
      .get('/v1/admin/charges')
      .set({ Accept: 'text/csv', 'X-Consistency-Token': 'latest' });
    expect(csv.status).toBe(200);
    expect(formulasIn(csv.text)).toEqual([]);
    const [titles = [], ...rows] = parseCsv(csv.text);
    const column = (title: string) => rows.map((row) => row[titles.indexOf(title)] ?? '');
    expect(column('reference').map(givenBy).sort()).toEqual([...names].sort());
    expect(column('metadata').map((cell) => JSON.parse(cell))).toEqual(names.map(() => metadata));
  });
});
