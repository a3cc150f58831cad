import Sequencer from '@jest/test-sequencer';

/** Files that take longest, so that no worker is left with it when the other one has finished. */
const LONGEST = [
  'guides',
  'elasticsearch-faults',
  'mongodb-faults',
  'kill',
  'start',
  'read-store',
  'webhook-faults',
  'upgrade',
  'seed',
  'panel',
  'processor-time',
  'quarter',
  'tenant-matrix',
  'ledger-check',
  'reproject',
  'charge-list',
  'pay-pages',
  'sign-in',
  'submerchants',
  'identity',
  'commits',
  'ledger',
];

/** Puts those files first whatever jest remembers of earlier runs, and the rest as jest does. */
// biome-ignore lint/style/noDefaultExport: jest asks for it
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const place = ({ path }) => {
      const found = LONGEST.findIndex((name) => path.endsWith(`/${name}.test.ts`));
      return found < 0 ? LONGEST.length : found;
    };
    return [...super.sort(tests)].sort((left, right) => place(left) - place(right));
  }
}
