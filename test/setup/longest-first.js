import Sequencer from '@jest/test-sequencer';

/** What takes longest, so that no worker is left with it when the other one has finished. */
const LONGEST = [
  'faults',
  'kill',
  'webhook-faults',
  'reproject',
  'seed',
  'start',
  'guides',
  'quarter',
  'read-store',
  'charge-list',
  'commits',
  'alert-killed',
  'bad-input',
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
