import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';

const VERSION: string = JSON.parse(readFileSync('package.json', 'utf8')).devDependencies[
  '@sparticuz/chromium'
];

/** Google Chrome where it is commonly installed, for machines that the packed browser is not made for. */
const INSTALLED = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/usr/bin/google-chrome',
  '/usr/bin/chromium',
];

/** The packed browser, unpacked once a version: several suites may ask for it at the same time. */
const unpack = (): string => {
  const home = join(tmpdir(), `portico-chromium-${VERSION}`);
  if (!existsSync(home)) {
    const fresh = mkdtempSync(join(tmpdir(), 'portico-chromium-'));
    // It unpacks into the folder for temporary files, which only a process of its own can have elsewhere.
    const script = "await (await import('@sparticuz/chromium')).default.executablePath()";
    execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
      env: { ...process.env, TMPDIR: fresh },
    });
    try {
      renameSync(fresh, home);
    } catch {
      // Another suite was faster.
      rmSync(fresh, { recursive: true });
    }
  }
  return join(home, 'chromium');
};

const browserPath = (): string => {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  if (process.platform === 'linux' && process.arch === 'x64') return unpack();
  const installed = INSTALLED.find((path) => existsSync(path));
  if (!installed) throw new Error('no browser was found: name one in CHROMIUM, such as /usr/bin/chromium');
  return installed;
};

type TestBrowser = {
  /** A page with a session of its own, in a language (`pt-BR`) and a colour scheme. */
  open(options?: {
    readonly language?: string;
    readonly colors?: 'light' | 'dark';
    readonly scripts?: boolean;
    readonly width?: number;
  }): Promise<Page>;
  close(): Promise<void>;
};

/** A real browser without a window: CHROMIUM names it, the one among the packages is the default on Linux. */
const startBrowser = async (): Promise<TestBrowser> => {
  const profile = mkdtempSync(join(tmpdir(), 'portico-browser-'));
  const browser: Browser = await puppeteer.launch({
    executablePath: browserPath(),
    headless: 'shell',
    userDataDir: profile,
    timeout: 60_000,
    protocolTimeout: 60_000,
    // Containers run tests as root and have little shared memory.
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--no-zygote'],
  });
  return {
    async open({ language = 'en', colors = 'light', scripts = true, width = 800 } = {}) {
      const context = await browser.createBrowserContext();
      const page = await context.newPage();
      await page.setExtraHTTPHeaders({ 'Accept-Language': language });
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: colors }]);
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

/** Saves pictures of pages to look at, where SCREENSHOTS names a folder. */
export const picture = async (page: Page, name: string): Promise<void> => {
  const folder = process.env.SCREENSHOTS;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) as `${string}.png`, fullPage: true });
};

/**
 * Faults by WCAG 2.2 A and AA and good practice, each with the elements that have it (axe). The checks run in a world
 * of their own, so a content security policy may forbid scripts. `rules` are all of axe, or those named.
 */
export const accessibilityFaults = async (
  page: Page,
  rules: readonly string[] | null = null,
): Promise<readonly string[]> => {
  const only = rules ? { runOnly: rules } : {};
  const run = `${axe.source}; axe.run(document, ${JSON.stringify(only)}).then(({ violations }) =>
    violations.map(({ id, help, nodes }) => id + ': ' + help + ' at ' + nodes.map(({ target }) => target.join(' ')).join(', ')))`;
  const client = await page.createCDPSession();
  const { frameTree } = await client.send('Page.getFrameTree');
  const { executionContextId: contextId } = await client.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
  });
  const { result, exceptionDetails } = await client.send('Runtime.evaluate', {
    expression: run,
    contextId,
    awaitPromise: true,
    returnByValue: true,
  });
  await client.detach();
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value;
};
