import { existsSync } from 'node:fs';

/** Programs: each becomes a file of this name below `dist`. */
const PROGRAMS = [
  'src/main/main',
  'test/model/cli',
  'test/model/try-mutants',
  'test/simulation/cli',
  'test/simulation/mutants/try-mutants',
  'test/support/doubles/run',
  'test/support/wallet-files',
  'test/support/watched',
  ...[
    'attack',
    'audit-dependencies',
    'await-views',
    'backup',
    'bench/bench',
    'check-ledger',
    'client/pack',
    'client/write-types',
    'clients-check',
    'comparable-openapi',
    'engines/cli',
    'examples/write-examples',
    'integrity',
    'licences',
    'openapi',
    'postman',
    'reproject',
    'restore',
    'rotate',
    'run',
    'sbom',
    'schemathesis',
    'seed',
    'simulate-shards',
    'tenants',
  ].map((name) => `scripts/${name}`),
  // An image is built without what tests need.
].filter((name) => existsSync(`${name}.ts`));

/**
 * Few files with all that the programs need: a program of a thousand modules takes twice as long to start.
 * @type {import('rolldown').RolldownOptions}
 */
export default {
  input: Object.fromEntries(PROGRAMS.map((name) => [name, `${name}.ts`])),
  platform: 'node',
  // Compiled for the machine; the other one builds programs with bugs for the tests.
  external: ['@node-rs/argon2', 'rolldown'],
  output: {
    dir: 'dist',
    chunkFileNames: 'chunks/[name].js',
    // Lines of stack traces are those of the sources.
    sourcemap: true,
    sourcemapExcludeSources: true,
    keepNames: true,
  },
};
