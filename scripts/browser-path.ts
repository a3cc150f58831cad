import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const VERSION: string = JSON.parse(readFileSync('package.json', 'utf8')).devDependencies[
  '@sparticuz/chromium'
];

/** Google Chrome where it is commonly installed, for machines that the packed browser is not made for. */
const INSTALLED = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/usr/bin/google-chrome',
  '/usr/bin/chromium',
];

/** The packed browser, unpacked once a version: several programs may ask for it at the same time. */
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
      // Another program was faster.
      rmSync(fresh, { recursive: true });
    }
  }
  return join(home, 'chromium');
};

/** Program of a browser: the one that CHROMIUM names, else the one among the packages or an installed one. */
export const browserPath = (): string => {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  if (process.platform === 'linux' && process.arch === 'x64') return unpack();
  const installed = INSTALLED.find((path) => existsSync(path));
  if (!installed) throw new Error('no browser was found: name one in CHROMIUM, such as /usr/bin/chromium');
  return installed;
};

/** Containers run browsers as root and have little shared memory. */
export const BROWSER_FLAGS = [
  '--no-sandbox',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--no-zygote',
] as const;
