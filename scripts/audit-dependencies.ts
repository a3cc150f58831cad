import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { lockFaults } from './dependencies/lock-faults.ts';

const ADVISED = ['high', 'critical'];

type Report = {
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string }>>;
};

/** Known advisories of the packages that run in production; null where the registry has no database of advisories. */
const findAdvisories = (): readonly string[] | null => {
  const { stdout } = spawnSync('npm', ['audit', '--json', '--omit=dev'], { encoding: 'utf8' });
  try {
    const { vulnerabilities } = JSON.parse(stdout) as Report;
    if (!vulnerabilities) return null;
    return Object.entries(vulnerabilities)
      .filter(([, { severity }]) => ADVISED.includes(severity))
      .map(([name, { severity }]) => `${name} has a known weakness (${severity}): npm audit tells more`);
  } catch {
    return null;
  }
};

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const advisories = findAdvisories();
const faults = [...lockFaults(packages), ...(advisories ?? [])];
for (const fault of faults) process.stdout.write(`${fault}\n`);
if (advisories === null) process.stdout.write('advisories: the registry in use has no database of them\n');
process.stdout.write(`${Object.keys(packages).length - 1} packages, ${faults.length} to look at\n`);
process.exitCode = faults.length > 0 ? 1 : 0;
