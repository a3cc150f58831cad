import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const CLIENT = 'dist/client';
const FOLDER = join(CLIENT, 'package');

/** Packs the compiled client as a package without dependencies, with the gateway's version. */
const { version, license } = JSON.parse(readFileSync('package.json', 'utf8'));
const manifest = {
  name: 'portico-client',
  version,
  description: 'Client of the Portico payment gateway.',
  license,
  type: 'module',
  sideEffects: false,
  engines: { node: '>=20.3' },
  exports: { '.': { types: './index.d.ts', default: './index.js' } },
};
writeFileSync(join(FOLDER, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
copyFileSync('docs/guide/clients.md', join(FOLDER, 'README.md'));
const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', '..'], {
  cwd: FOLDER,
  encoding: 'utf8',
});
// A gateway serves it at the same address in each version.
renameSync(join(CLIENT, packed.trim()), join(CLIENT, 'portico-client.tgz'));
