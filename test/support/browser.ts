import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import puppeteer, { type Browser, type BrowserContext, type CDPSession, type Page } from 'puppeteer-core';
import { BROWSER_FLAGS, browserPath } from '../../scripts/browser-path.ts';

type TestBrowser = {
  /** Opens a page in a language (`pt-BR`) and a colour scheme, with cookies of its own or with those of a `person`. */
  open(options?: {
    readonly person?: string;
    readonly language?: string;
    readonly colors?: 'light' | 'dark';
    readonly scripts?: boolean;
    readonly width?: number;
  }): Promise<Page>;
  close(): Promise<void>;
};

/** Sets the colour scheme that the page's system prefers. */
export const useColors = (page: Page, colors: 'light' | 'dark'): Promise<void> =>
  page.emulateMediaFeatures([
    { name: 'prefers-color-scheme', value: colors },
    // Moving parts are redrawn all the time, which takes processor time from everybody else.
    { name: 'prefers-reduced-motion', value: 'reduce' },
  ]);

/** A real browser without a window: the one in CHROMIUM, or on Linux the packed one by default. */
const startBrowser = async (): Promise<TestBrowser> => {
  const profile = mkdtempSync(join(tmpdir(), 'portico-browser-'));
  const browser: Browser = await puppeteer.launch({
    executablePath: browserPath(),
    headless: 'shell',
    userDataDir: profile,
    timeout: 60_000,
    protocolTimeout: 60_000,
    args: [...BROWSER_FLAGS],
  });
  const people = new Map<string, Promise<BrowserContext>>();
  const contextOf = (person: string | undefined): Promise<BrowserContext> => {
    const known = person === undefined ? undefined : people.get(person);
    const context = known ?? browser.createBrowserContext();
    if (person !== undefined) people.set(person, context);
    return context;
  };
  return {
    async open({ person, language = 'en', colors = 'light', scripts = true, width = 800 } = {}) {
      const context = await contextOf(person);
      const page = await context.newPage();
      await page.setExtraHTTPHeaders({ 'Accept-Language': language });
      await useColors(page, colors);
      await page.setJavaScriptEnabled(scripts);
      await page.setViewport({ width, height: 900 });
      return page;
    },
    async close() {
      await browser.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
};

/** One browser for a test file. */
export const useBrowser = (): (() => TestBrowser) => {
  let started: TestBrowser | null = null;
  beforeAll(async () => {
    started = await startBrowser();
  });
  afterAll(() => started?.close());
  return () => {
    if (!started) throw new Error('the browser has not been started');
    return started;
  };
};

/** Saves pictures of pages for people to look at, where SCREENSHOTS names a folder. */
export const picture = async (page: Page, name: string): Promise<void> => {
  const folder = process.env.SCREENSHOTS;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) as `${string}.png`, fullPage: true });
};

/** Where axe has been loaded: an isolated world in each document, which lasts until the next document. */
const worlds = new WeakMap<Page, { readonly client: CDPSession; readonly contextId: number }>();

const openWorld = async (page: Page) => {
  const client = await page.createCDPSession();
  const { frameTree } = await client.send('Page.getFrameTree');
  const { executionContextId: contextId } = await client.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
  });
  await client.send('Runtime.evaluate', { expression: axe.source, contextId });
  const world = { client, contextId };
  worlds.set(page, world);
  return world;
};

const evaluateIn = ({ client, contextId }: { client: CDPSession; contextId: number }, expression: string) =>
  client.send('Runtime.evaluate', { expression, contextId, awaitPromise: true, returnByValue: true });

/** Rules of axe that depend on colours. */
const OF_COLORS = ['color-contrast', 'link-in-text-block'];

/**
 * Faults by WCAG 2.2 A and AA and by good practice, each with its elements (axe). The checks run in an isolated world,
 * so they also work under a Content-Security-Policy without scripts. A further colour scheme may be checked by the
 * rules for colours alone.
 */
export const accessibilityFaults = async (
  page: Page,
  rules: 'all' | 'colors' = 'all',
): Promise<readonly string[]> => {
  const some = rules === 'all' ? {} : { runOnly: OF_COLORS };
  const options = { resultTypes: ['violations'], preload: false, ...some };
  // The world of the former document is gone, and its number may belong to another one.
  const run = `typeof axe === 'undefined' ? null : axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
    violations.map(({ id, help, nodes }) => id + ': ' + help + ' at ' + nodes.map(({ target }) => target.join(' ')).join(', ')))`;
  const known = worlds.get(page);
  const answer = known ? await evaluateIn(known, run).catch(() => null) : null;
  const { result, exceptionDetails } = answer?.result.value
    ? answer
    : await evaluateIn(await openWorld(page), run);
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value;
};
