import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import puppeteer, { type Page } from 'puppeteer-core';
import { BROWSER_FLAGS, browserPath } from '../browser-path.ts';
import { createProgress } from '../progress.ts';
import { drained } from './creates.ts';
import { operatorOf } from './lists.ts';
import { elapsed, median, type Row } from './measure.ts';
import { seedUpTo } from './seeding.ts';
import type { Bench, Merchants } from './setting.ts';

const FIRST_PAGE_KB = 150;
const TABLE_MS = 1_000;
const SEARCH_MS = 300;
const TURNS = 20;

/** The panel in a real browser: size of its first page, time until charges are shown, time of a search. */
export const measurePanel = async (bench: Bench, _merchants: Merchants): Promise<Row[]> => {
  const progress = createProgress('charges', bench.charges);
  await seedUpTo(bench, bench.charges, progress.update);
  progress.end();
  await drained(bench);
  const words = await wordsOf(bench);
  const profile = mkdtempSync(join(tmpdir(), 'portico-bench-browser-'));
  const browser = await puppeteer.launch({
    executablePath: browserPath(),
    headless: 'shell',
    userDataDir: profile,
    args: [...BROWSER_FLAGS],
  });
  try {
    const page = await browser.newPage();
    const kilobytes = await firstPage(page, bench);
    const table = await timeToTable(page, bench.url);
    const search = await timeOfSearch(page, words);
    const of = `${bench.charges} charges`;
    return [
      row('panel, JavaScript of the first page, gzipped', kilobytes, 'kB', FIRST_PAGE_KB),
      row(`panel, from a reload to the table of ${of}, p50`, table, 'ms', TABLE_MS),
      row(`panel, search among ${of}, p50`, search, 'ms', SEARCH_MS),
    ];
  } finally {
    await browser.close();
    rmSync(profile, { recursive: true, force: true });
  }
};

const row = (what: string, figure: number, unit: string, goal: number): Row => ({
  what,
  gateway: `${figure.toFixed(0)} ${unit}`,
  reference: '',
  result: '',
  goal: `≤ ${goal} ${unit}`,
  isMet: figure <= goal,
});

/** Signs in as an operator; returns the size of the scripts until the home screen is shown, in kB of 1,000 bytes. */
const firstPage = async (page: Page, { url, config }: Bench): Promise<number> => {
  const scripts: Promise<number>[] = [];
  page.on('response', (response) => {
    if (response.url().endsWith('.js'))
      scripts.push(response.buffer().then((script) => gzipSync(script).length));
  });
  await page.goto(`${url}/panel`);
  await page.waitForSelector('input[name=password]');
  await page.type('input[name=email]', config.bootstrapOperator?.email ?? '');
  await page.type('input[name=password]', config.bootstrapOperator?.password ?? '');
  await page.select('select[name=environment]', 'test');
  await page.click('button[type=submit]');
  await page.waitForSelector('.tiles');
  page.removeAllListeners('response');
  return (await Promise.all(scripts)).reduce((sum, bytes) => sum + bytes, 0) / 1_000;
};

/** The median of several turns, of which the first only warms up. */
const medianOf = async (turn: (number: number) => Promise<void>): Promise<number> => {
  const times: number[] = [];
  for (let number = 0; number <= TURNS; number += 1) times.push(await elapsed(() => turn(number)));
  return median(times.slice(1));
};

const timeToTable = (page: Page, url: string): Promise<number> =>
  medianOf(async () => {
    await page.goto(`${url}/panel/charges`, { waitUntil: 'domcontentloaded' });
    await page.waitForSelector('tbody tr a');
  });

const timeOfSearch = (page: Page, words: readonly string[]): Promise<number> =>
  medianOf(async (number) => {
    const word = words[number % words.length] ?? '';
    await page.evaluate(
      `history.pushState(null, '', '/panel/search?q=' + encodeURIComponent(${JSON.stringify(word)}))`,
    );
    await page.waitForSelector(`.matches[data-words=${JSON.stringify(word)}] li`);
  });

/** Ids, e-mail addresses and references of charges, once each. */
const wordsOf = async (bench: Bench): Promise<readonly string[]> => {
  const authorization = await operatorOf(bench);
  const { body } = await bench.call('GET', `/v1/charges?size=${TURNS + 1}`, authorization);
  const { data } = JSON.parse(body) as {
    readonly data: readonly {
      readonly id: string;
      readonly reference: string | null;
      readonly customer: { readonly email: string };
    }[];
  };
  return data.map((charge, index) => {
    if (index % 3 === 0) return charge.id;
    return (index % 3 === 1 ? charge.reference : null) ?? charge.customer.email;
  });
};
