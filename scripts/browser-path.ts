import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const VERSION: string = JSON.parse(readFileSync('package.json', 'utf8')).devDependencies[
  '@sparticuz/chromium'
];

/** Where Google Chrome is commonly installed, for machines that cannot run the packed browser. */
const INSTALLED = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/usr/bin/google-chrome',
  '/usr/bin/chromium',
];

/** Unpacks the packed browser once for each version; several programs may do so at the same time. */
const unpack = (): string => {
  const home = join(tmpdir(), `portico-chromium-${VERSION}`);
  if (!existsSync(home)) {
    const fresh = mkdtempSync(join(tmpdir(), 'portico-chromium-'));
    // It unpacks into the folder for temporary files, which can be changed only for a separate process.
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

/** Path of a browser: the one in CHROMIUM, else the packed one, else an installed one. */
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
