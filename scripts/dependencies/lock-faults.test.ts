import { readFileSync } from 'node:fs';
import { lockFaults } from './lock-faults.ts';

const RIGHT = { version: '1.0.0', integrity: 'sha512-abc', license: 'MIT' };
const faultsOf = (changes: object) =>
  lockFaults({ '': {}, 'node_modules/a/node_modules/b': { ...RIGHT, ...changes } });

describe('the lock file', () => {
  it('pins every package by a hash, under a permissive licence, with known install scripts only', () => {
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
    expect(Object.keys(packages).length).toBeGreaterThan(400);
    expect(lockFaults(packages)).toEqual([]);
  });

  it('names versions exactly in package.json', () => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
    for (const version of Object.values({ ...dependencies, ...devDependencies }))
      expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  });

  it('runs no install script', () => {
    expect(readFileSync('.npmrc', 'utf8')).toMatch(/^ignore-scripts=true$/m);
  });
});

describe('a package', () => {
  it.each([['MIT'], ['(MIT OR GPL-3.0-only)'], ['Apache-2.0 AND MIT']])('may be under %s', (license) => {
    expect(faultsOf({ license })).toEqual([]);
  });

  it.each([['GPL-3.0-only'], ['MIT AND GPL-3.0-only'], ['SEE LICENSE IN FILE'], [undefined]])(
    'under %s is looked at',
    (license) => {
      expect(faultsOf({ license })).toEqual([expect.stringContaining('b@1.0.0 has the licence')]);
    },
  );

  it('without a hash or with a script of its own is looked at', () => {
    expect(faultsOf({ integrity: undefined })).toEqual(['b@1.0.0 has no SHA-512 in the lock file']);
    expect(faultsOf({ integrity: 'sha1-abc' })).toHaveLength(1);
    expect(faultsOf({ hasInstallScript: true })).toEqual(['b@1.0.0 wants to run an install script']);
  });
});
