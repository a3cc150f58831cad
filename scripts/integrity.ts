import { readFileSync } from 'node:fs';
import { FIELDS_PARTS } from '../src/modules/card-fields/fields-page.ts';
import { CHECKOUT_PARTS } from '../src/modules/checkout-page/page-frame.ts';

/**
 * Prints the hashes of the code that runs in payers' browsers, for monitors that compare a gateway with its release.
 */
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const pages = { version, parts: CHECKOUT_PARTS, cardFields: FIELDS_PARTS };
process.stdout.write(`${JSON.stringify(pages, null, 2)}\n`);
