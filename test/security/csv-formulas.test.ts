import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { csvReply } from '../../src/platform/http/csv.ts';
import { aCardRequest } from '../builders.ts';
import { type Client, operator, PATIENT, withKey } from '../support/client.ts';
import { useGateway } from '../support/gateway.ts';
import { volume } from '../support/volume.ts';

const gateway = useGateway(PATIENT);

/** Characters that spreadsheets may take for the end of a cell; a comma where the file is read as it is meant. */
const SEPARATORS = [',', ';', '\t', '|'];
const FORMULA = /^[\s"]*[=+\-@＝＋－＠]/;

/** The cells that a spreadsheet sees: quotes count where a cell begins with one, lines end a row elsewhere. */
const cellsOf = (csv: string, separator: string): string[] => {
  const cells: string[] = [];
  let [cell, isQuoted] = ['', false];
  for (let at = 0; at < csv.length; at += 1) {
    const sign = csv[at] ?? '';
    if (isQuoted && sign === '"' && csv[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (sign === '"' && (isQuoted || cell === '')) isQuoted = !isQuoted;
    else if (!isQuoted && (sign === separator || sign === '\r' || sign === '\n')) {
      cells.push(cell);
      cell = '';
    } else cell += sign;
  }
  return [...cells, cell];
};

/** Numbers are no formulas; an apostrophe makes a text of what follows. */
const formulasIn = (csv: string): string[] =>
  SEPARATORS.flatMap((separator) =>
    cellsOf(csv, separator).filter((cell) => FORMULA.test(cell) && !/^-?[\d.]+$/.test(cell)),
  );

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
  it('begins no formula in a CSV, whatever the spreadsheet takes for a separator', async () => {
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
        expect(formulasIn(await csvOf(values))).toEqual([]);
      }),
      { numRuns: volume({ usual: 2_000, proof: 100_000 }) },
    );
  });

  it('begins none in the list of charges either', async () => {
    const merchant = await gateway().createMerchant();
    const client: Client = withKey(gateway, merchant.testKey);
    const names = ['Ana;=cmd|x', 'Ana|@SUM(A1)', 'Ana, +1', '"=1', 'Ana;"=1";-2'];
    for (const name of names)
      await client
        .post('/v1/charges', aCardRequest({ customer: { name, email: 'ana@example.test' }, reference: name }))
        .expect(201);
    const admin = await operator(gateway, 'test');
    const csv = await admin
      .get('/v1/admin/charges')
      .set({ Accept: 'text/csv', 'X-Consistency-Token': 'latest' });
    expect([csv.status, csv.text.split('\r\n').length]).toEqual([200, names.length + 2]);
    expect(csv.text).toContain("Ana;'=cmd|x");
    expect(formulasIn(csv.text)).toEqual([]);
  });
});
