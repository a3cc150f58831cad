import { get } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { MerchantId } from '../../src/kernel/ids.ts';
import { newId } from '../../src/kernel/ids.ts';
import { journal } from '../../src/modules/ledger/write/journal.ts';
import { EMPTY_CHAIN, placeLines } from '../../src/modules/ledger/write/statement-line.ts';
import { STATEMENT_VIEW } from '../../src/modules/statement/read/statement.view.ts';
import { aliasOf, indexResources } from '../../src/platform/read-store/view.ts';
import { withoutTenant } from '../../src/platform/write-store/stored-resource.ts';
import { VIEWS_ALONE } from '../support/charge-view.ts';
import { useGateway } from '../support/gateway.ts';
import { volume } from '../support/volume.ts';

jest.setTimeout(240_000);
const gateway = useGateway({ ...VIEWS_ALONE, VIEW_SHARDS: 'statement=4' });

const LINES = volume({ usual: 40_000, proof: 100_000 });
const BATCH = 5_000;
/** Holding half of the statement would take several times this. */
const MAX_GROWTH = LINES * 240;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const heap = (): number => {
  collectGarbage();
  return process.memoryUsage().heapUsed;
};

/** Puts a statement into the view: entries of 1, 2, 3, … cents. */
const fillStatement = async (merchantId: MerchantId): Promise<void> => {
  const { readStore } = gateway();
  let head = EMPTY_CHAIN;
  for (let done = 0; done < LINES; done += BATCH) {
    const journals = Array.from({ length: BATCH }, (_, index) => {
      const amount = done + index + 1;
      return journal(
        {
          livemode: false,
          currency: 'BRL',
          chargeId: null,
          referenceType: 'adjustment',
          referenceId: 'adj_1',
        },
        [
          { merchantId, bucket: 'available', movement_type: 'adjustment', amount },
          { merchantId: null, bucket: 'suspense', movement_type: 'adjustment', amount: -amount },
        ],
        new Date(),
        newId,
      );
    });
    const placed = placeLines(head, journals, { key: `${merchantId}:test`, masterId: null }, 'BRL');
    head = placed.head;
    await indexResources(readStore, STATEMENT_VIEW, placed.lines.map(withoutTenant));
  }
  await readStore.client.indices.refresh({ index: aliasOf(readStore, STATEMENT_VIEW) });
};

it(`a statement of ${LINES} entries comes as CSV, whole, in order and in constant memory`, async () => {
  const { id, testKey } = await gateway().createMerchant();
  await fillStatement(id as MerchantId);
  let rows = 0;
  let rest = '';
  let wrong: string | null = null;
  const heaps: number[] = [];
  await new Promise<void>((resolve, reject) => {
    const headers = { Accept: 'text/csv', Authorization: `Basic ${btoa(`${testKey}:`)}` };
    get(`${gateway().url}/v1/statement?orderBy=createdAt`, { headers }, (response) => {
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        const lines = (rest + chunk).split('\r\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          if (line.startsWith('id,')) continue;
          rows += 1;
          const [amount, , , balanceAfter] = line.split(',').slice(6);
          if (Number(amount) !== rows / 100 || Number(balanceAfter) !== (rows * (rows + 1)) / 200)
            wrong ??= line;
          if (rows % (LINES / 4) === 0) heaps.push(heap());
        }
      });
      response.on('end', resolve);
      response.on('error', reject);
    }).on('error', reject);
  });
  expect([rows, rest, wrong]).toEqual([LINES, '', null]);
  const [first = 0, , third = 0] = heaps;
  expect(third - first).toBeLessThan(MAX_GROWTH);
});
