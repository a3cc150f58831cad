import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** The commit of version 1.0.0; the tag comes first where there is one. */
const RELEASES = ['v1.0.0', '8da255645a758775864728a6ea5c84df9ca680ad'];

/** The commit of the last release; null in a copy without history. */
export const lastRelease = (): string | null =>
  RELEASES.find((name) => spawnSync('git', ['cat-file', '-e', `${name}^{commit}`]).status === 0) ?? null;

/**
 * Compiles a commit in a folder of its own, with the packages of this one. Packages that the last release alone imports
 * are development dependencies: `currency-codes`, `stream-json`, `stream-chain`. Returns the folder.
 */
export const buildCommit = (commit: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'portico-release-'));
  const archive = execFileSync(
    'git',
    ['archive', commit, 'src', 'scripts', 'config', 'package.json', 'tsconfig.json', 'tsconfig.build.json'],
    { maxBuffer: 1e9 },
  );
  mkdirSync(folder, { recursive: true });
  execFileSync('tar', ['x', '-C', folder], { input: archive });
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  execFileSync(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'], {
    cwd: folder,
  });
  return folder;
};
