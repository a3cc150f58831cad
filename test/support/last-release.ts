import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** The commit of version 1.0.0, preferably by its tag. */
const RELEASES = ['v1.0.0', '8da255645a758775864728a6ea5c84df9ca680ad'];

/** The commit of the last release; null in a copy of the project without history. */
export const lastRelease = (): string | null =>
  RELEASES.find((name) => spawnSync('git', ['cat-file', '-e', `${name}^{commit}`]).status === 0) ?? null;

/**
 * Compiles a commit in a folder of its own, with the packages of this version; returns the folder. Packages that only
 * the last release imports are development dependencies: `currency-codes`, `stream-json`, `stream-chain`.
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
  // A release has been checked once and for all.
  const compile = [resolve('node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json', '--noCheck'];
  execFileSync(process.execPath, compile, { cwd: folder });
  return folder;
};
