import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Asks the compiled program, because parts of the script are functions as the compiler has written them. */
it('docs/integrity.json has the hashes of the checkout page that this version serves; `make integrity` writes it', () => {
  const served = execFileSync(process.execPath, ['dist/scripts/integrity.js'], { encoding: 'utf8' });
  expect(JSON.parse(readFileSync('docs/integrity.json', 'utf8'))).toEqual(JSON.parse(served));
});
