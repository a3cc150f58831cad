import config from '../../jest.config.js';

const [{ displayName: _, testMatch: __, ...rules }] = config.projects;

/** @type {import('jest').Config} */
export default {
  ...rules,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/conformance/*.conformance.ts'],
  verbose: true,
};
