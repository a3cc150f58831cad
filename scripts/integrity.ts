import { readFileSync } from 'node:fs';
import { CHECKOUT_PARTS } from '../src/modules/checkout-page/page-frame.ts';

/**
 * Prints the hashes of the code that runs in payers' browsers, for monitors that compare a gateway with its release.
 */
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
process.stdout.write(`${JSON.stringify({ version, parts: CHECKOUT_PARTS }, null, 2)}\n`);
