import { systemClock } from '../../src/kernel/clock.ts';
import { type MerchantId, newId } from '../../src/kernel/ids.ts';
import type { StatementLine } from '../../src/modules/ledger/write/statement-line.ts';
import { STATEMENT_VIEW } from '../../src/modules/statement/read/statement.view.ts';
import * as platform from '../../src/platform/platform.module.ts';
import type { ReadStore } from '../../src/platform/read-store/elastic.ts';
import { aliasOf, indexResources, type View } from '../../src/platform/read-store/view.ts';
import { withoutTenant } from '../../src/platform/write-store/stored-resource.ts';
import { createProgress } from '../progress.ts';
import { createMerchants } from '../seed/merchants.ts';
import { wholeNumber } from '../whole-number.ts';
import { elapsed, median, type Row } from './measure.ts';
import type { Bench } from './setting.ts';

const GOAL = 1.5;
const REQUESTS = 200;
const BATCH = 5_000;
/** How many times the lines of a short statement a long one has. */
const TIMES = 100;

/** The first page of a statement with many entries against one with few, in turns. LINES is the number of many. */
export const measureStatements = async ({ container, call }: Bench): Promise<Row[]> => {
  const many = wholeNumber('LINES', 200_000, 10_000_000);
  const few = Math.ceil(many / TIMES);
  const options = { merchants: 2, seed: 0, run: 1, clock: systemClock, newIdAt: () => newId };
  const made = await createMerchants(container, options);
  const [long = '', short = ''] = made.map(
    ({ secretKey }) => `Basic ${Buffer.from(`${secretKey}:`).toString('base64')}`,
  );
  const progress = createProgress('statement lines', many + few);
  for (const [place, { merchant }] of made.entries()) {
    const [lines, before] = place === 0 ? [many, 0] : [few, many];
    await putLines(container.get(platform.services).readStore, merchant.id, lines, (done) =>
      progress.update(before + done),
    );
  }
  progress.end();

  const times = { long: [] as number[], short: [] as number[] };
  const ask = async (authorization: string, lines: number): Promise<void> => {
    const { status, body } = await call('GET', '/v1/statement', authorization);
    if (status !== 200 || (JSON.parse(body) as { total: number }).total < lines)
      throw new Error(`GET /v1/statement: ${status} ${body}`);
  };
  for (let request = -20; request < REQUESTS; request += 1) {
    const ofLong = await elapsed(() => ask(long, many));
    const ofShort = await elapsed(() => ask(short, few));
    // The first requests only warm up.
    if (request < 0) continue;
    times.long.push(ofLong);
    times.short.push(ofShort);
  }
  const ratio = median(times.long) / median(times.short);
  return [
    {
      what: `statement, page 1 of ${many} entries, p50`,
      gateway: `${median(times.long).toFixed(1)} ms`,
      reference: `of ${few} entries: ${median(times.short).toFixed(1)} ms`,
      result: `${ratio.toFixed(2)} ×`,
      goal: `≤ ${GOAL} ×`,
      isMet: ratio <= GOAL,
    },
  ];
};

/** Puts lines into the view directly, in the form that folding would give them. */
const putLines = async (
  readStore: ReadStore,
  merchantId: MerchantId,
  lines: number,
  onProgress: (done: number) => void,
): Promise<void> => {
  const from = Date.UTC(2026, 0, 1);
  for (let done = 0; done < lines; done += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, lines - done) }, (_, place) => {
      const seq = done + place + 1;
      return {
        id: newId('led'),
        version: 1,
        merchantId,
        masterId: null,
        livemode: false,
        movement_type: 'charge',
        referenceType: 'charge',
        referenceId: 'chg_1',
        chargeId: 'chg_1',
        settlement: null,
        amount: 100,
        currency: 'BRL',
        bucket: 'reserved',
        balanceAfter: seq * 100,
        seq,
        createdAt: new Date(from + seq * 1_000).toISOString(),
      } as unknown as StatementLine;
    });
    const errors = await indexResources(readStore, STATEMENT_VIEW, batch.map(withoutTenant));
    if (errors.size > 0) throw new Error([...errors.values()][0]);
    onProgress(done + batch.length);
  }
  await readStore.client.indices.refresh({ index: aliasOf(readStore, STATEMENT_VIEW as unknown as View) });
};
