import type { Page } from 'puppeteer-core';
import { accessibilityFaults, picture, useBrowser } from '../support/browser.ts';
import { pollUntil } from '../support/client.ts';
import { useGateway } from '../support/gateway.ts';

const gateway = useGateway();
const browser = useBrowser();

type Operation = {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly 'x-codeSamples': readonly { readonly label: string; readonly source: string }[];
};
type Described = {
  readonly 'x-tagGroups': readonly { readonly name: string; readonly tags: readonly string[] }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};

let described: Described;
let page: Page;
beforeAll(async () => {
  ({ body: described } = await gateway().call('get', '/v1/openapi.json').expect(200));
  page = await browser().open({ width: 1200 });
  await page.goto(`${gateway().url}/docs`);
  await page.waitForSelector('.opblock-tag', { timeout: 60_000 });
}, 180_000);

/** Operations of open tags; webhooks stand below them. */
const SHOWN = '.opblock-tag-section .opblock';
const shownTags = () =>
  page.$$eval('.opblock-tag', (tags) => tags.map((tag) => String(tag.getAttribute('data-tag'))));

/** The operations that have all of these words in their path, name or description. */
const about = (words: readonly string[]): readonly Operation[] =>
  Object.entries(described.paths).flatMap(([path, operations]) =>
    Object.values(operations).filter(({ operationId, summary, description }) => {
      const text = [path, operationId, summary, description].join(' ').toLowerCase();
      return words.every((word) => text.includes(word));
    }),
  );

describe('/docs in a browser', () => {
  it('has the tags by audience, with payments first', async () => {
    const shown = await page.$$eval('h2.group, .opblock-tag', (parts) =>
      parts.map((part) => part.getAttribute('data-tag') ?? `# ${part.textContent}`),
    );
    const groups = described['x-tagGroups'];
    expect(groups[0]?.name).toBe('Payments');
    expect(shown).toEqual(groups.flatMap(({ name, tags }) => [`# ${name}`, ...tags]));
    await picture(page, 'docs');
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it('finds operations by words, and shows samples of each in curl, TypeScript and Python', async () => {
    const found = about(['pending', 'refund', 'complete']);
    const tags = new Set(found.flatMap((operation) => operation.tags));
    expect(found.map(({ operationId }) => operationId)).toContain('completeTestRefund');
    expect(tags.size).toBeLessThan(5);
    await page.type('.operation-filter-input', 'Refund complete  pending');
    const shown = await pollUntil(shownTags, (names) => names.length === tags.size);
    expect(new Set(shown)).toEqual(tags);

    await page.click('[data-tag="Test helpers"]');
    await page.waitForSelector(SHOWN);
    const helpers = found.filter((operation) => operation.tags.includes('Test helpers'));
    expect(await page.$$(SHOWN)).toHaveLength(helpers.length);
    await page.click(`${SHOWN} .opblock-summary-control`);
    await page.waitForSelector('.samples pre');
    const samples = await page.$$eval('.samples details', (all) =>
      all.map(({ children }) => [children[0]?.textContent, children[1]?.textContent]),
    );
    const expected = helpers[0]?.['x-codeSamples'].map(({ label, source }) => [label, source]);
    expect(samples.map(([label]) => label)).toEqual(['curl', 'TypeScript', 'Python']);
    expect(samples).toEqual(expected);
    await picture(page, 'docs-operation');
    await page.click('.try-out__btn');
    await page.waitForSelector('.btn.execute');
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it('opens an operation that an address names, as the menu of a screen of the panel does', async () => {
    const linked = await browser().open({ width: 1200 });
    await linked.goto(`${gateway().url}/docs#listApiKeys`);
    await linked.waitForSelector('.opblock.is-open', { timeout: 60_000 });
    expect(
      await linked.$$eval('.opblock.is-open', (all) => all.map(({ id }) => id.split('-').at(-1))),
    ).toEqual(['listApiKeys']);
    await linked.close();
  });
});
