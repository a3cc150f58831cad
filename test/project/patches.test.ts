import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Everything that reaches into the insides of a package, with the version that it was looked at with. A new version
 * fails this test: look whether the patch is still needed and still fits, then change the version here.
 */
const PATCHES = [
  // Statements whose connection was lost never end; its test says when they do.
  { package: 'mongodb', version: '7.9.0', file: 'src/platform/patches/mongodb-lost-connections.ts' },
  { package: 'mongodb', version: '7.9.0', file: 'src/platform/patches/mongodb-internals.d.ts' },
  // Without them each file of tests compiles all modules anew and reaches every global through a proxy.
  { package: 'jest-environment-node', version: '30.5.2', file: 'test/patches/jest-environment.cjs' },
  { package: 'jest-runtime', version: '30.5.2', file: 'test/patches/jest-runtime.cjs' },
  // It draws with a native canvas where there is no browser, which the panel never needs. npm can replace a package but
  // not leave one out, so a build for another system stands in, which is not installed here.
  { package: 'pdfjs-dist', version: '6.5.438', file: 'package.json' },
];
/** It patches Node.js, of which each machine has another version; its own test says whether it is needed. */
const OF_NODE = ['http-body-bounds.ts'];

const versionOf = (name: string): string =>
  JSON.parse(readFileSync(join('node_modules', name, 'package.json'), 'utf8')).version;

it.each(PATCHES)('$file is for version $version of $package', ({ package: name, version }) => {
  expect(versionOf(name)).toBe(version);
});

it('every file in a folder of patches is one of these', () => {
  const listed = [
    ...PATCHES.map(({ file }) => file),
    ...OF_NODE.map((name) => `src/platform/patches/${name}`),
  ];
  const found = ['src/platform/patches', 'test/patches'].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => !name.endsWith('.test.ts'))
      .map((name) => `${folder}/${name}`),
  );
  expect(found.filter((file) => !listed.includes(file))).toEqual([]);
  expect(listed.filter((file) => !existsSync(file))).toEqual([]);
});
