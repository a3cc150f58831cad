import Sequencer from '@jest/test-sequencer';

/** Files that take longest, so that no worker is left with it when the other one has finished. */
const LONGEST = [
  'guides',
  'mongodb-faults',
  'upgrade',
  'kill',
  'panel',
  'processor-time',
  'processor-time-stored',
  'examples',
  'unread-answers',
  'live-providers',
  'start',
  'memory',
  'quarter',
  'elasticsearch-faults',
  'submerchants',
  'read-store',
  'ledger-check',
  'client',
  'webhook-faults',
  'seed',
  'tenant-matrix',
  'rolling-restart',
  'local-stores',
  'permissions',
  'reproject',
  'charge-list',
  'pay-pages',
  'sign-in',
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
