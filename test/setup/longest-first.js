import Sequencer from '@jest/test-sequencer';

/** Files that take longest, so that no worker is left with it when the other one has finished. */
const LONGEST = [
  'guides',
  'panel',
  'tenant-matrix',
  'kill',
  'processor-time',
  'seed',
  'rolling-restart',
  'processor-time-stored',
  'subscriptions-killed',
  'upgrade',
  'quarter',
  'live-providers',
  'test-clock',
  'subscriptions-raced',
  'read-store',
  'elasticsearch-faults',
  'permissions',
  'submerchants',
  'start',
  'mongodb-faults',
  'slow-clients',
  'sign-in',
  'checkout',
  'webhook-faults',
  'card-testing',
  'memory',
  'subscriptions',
  'charge-list',
  'permission-matrix',
  'examples',
  'unread-answers',
  'due-dates',
  'ledger-check',
  'client',
  'local-stores',
  'reproject',
  'pay-pages',
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
