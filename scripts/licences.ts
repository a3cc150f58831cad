import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LockedPackage } from './dependencies/lock-faults.ts';

/** Prints each package that runs in production with the text of its licence, as most licences require. */
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, LockedPackage>;
};

const textIn = (folder: string): string => {
  const file = readdirSync(folder).find((name) => /^(licen[cs]e|copying)/i.test(name));
  return file ? readFileSync(join(folder, file), 'utf8').trim() : '(no licence file)';
};

for (const [folder, { version, license, dev }] of Object.entries(packages)) {
  // Packages for other platforms are not installed.
  if (folder === '' || dev || !existsSync(folder)) continue;
  const name = folder.replace(/^.*node_modules\//, '');
  process.stdout.write(
    `${name} ${version}: ${license ?? 'see below'}\n\n${textIn(folder)}\n\n${'-'.repeat(80)}\n`,
  );
}
