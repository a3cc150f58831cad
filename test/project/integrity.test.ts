import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Asks the compiled program, because parts of the script are functions as the compiler has written them. */
it('docs/integrity.json has the hashes of the checkout page that this version serves; `make integrity` writes it', () => {
  const served = execFileSync(process.execPath, ['dist/scripts/integrity.js'], { encoding: 'utf8' });
  const released: unknown = JSON.parse(readFileSync('docs/integrity.json', 'utf8'));
  expect(released).toEqual(JSON.parse(served));
  // The page on security lists the same parts for people (PCI DSS 6.4.3).
  const hashes = (text: string) => new Set(text.match(/sha256-[\w+/]{43}=/g));
  expect(hashes(readFileSync('docs/security.md', 'utf8'))).toEqual(hashes(served));
});
