import { availableParallelism } from 'node:os';

/** ES modules that have no CommonJS build are transformed along with the sources. */
const esmOnly = [
  'any-ascii',
  'inversify',
  '@inversifyjs',
  'uuid',
  'jose',
  '@faker-js',
  'pkijs',
  'asn1js',
  'bytestreamjs',
  '@peculiar',
  '@noble',
  'stream-json',
  'stream-chain',
  'temporal-polyfill',
  'temporal-utils',
  // It imports dynamically, which jest does not know in code as it is.
  '@opentelemetry',
];

/** @type {import('jest').Config} */
const shared = {
  testEnvironment: './test/patches/jest-environment.cjs',
  runtime: '<rootDir>/test/patches/jest-runtime.cjs',
  transform: {
    '^.+\\.(t|j)sx?$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } },
    ],
  },
  transformIgnorePatterns: [`/node_modules/(?!(${esmOnly.join('|')})/)`],
  extensionsToTreatAsEsm: [],
  setupFiles: ['reflect-metadata'],
  // Inside jest a global is slow to reach; drawing a QR code, which takes Math for each pixel, takes 40 times as long.
  sandboxInjectedGlobals: ['Math'],
};

/** @type {import('jest').Config} */
export default {
  // Suites wait for time-outs and for servers that start: two more than there are processors keep these busy.
  maxWorkers: availableParallelism() + 2,
  // Modules are shared and a file leaves little behind: this is for one that leaves much. Garbage in a gigabyte is slow.
  workerIdleMemoryLimit: '700MB',
  testSequencer: './test/setup/longest-first.js',
  // No test is about speed, and the machine may be busy.
  testTimeout: 60_000,
  projects: [
    {
      ...shared,
      displayName: 'rules',
      testMatch: ['src', 'scripts', 'test/project'].map((folder) => `<rootDir>/${folder}/**/*.test.ts`),
    },
    {
      ...shared,
      displayName: 'engines',
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      testPathIgnorePatterns: ['<rootDir>/test/project/'],
      globalSetup: '<rootDir>/test/setup/start-engines.ts',
      globalTeardown: '<rootDir>/test/setup/stop-engines.ts',
    },
  ],
};
