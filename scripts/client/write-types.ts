import 'reflect-metadata';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openApiDocument } from '../openapi-document.ts';
import { forTypes, operationsModule, schemaModule } from './client-sources.ts';

/** The generator needs the former programming interface of the compiler, so both are downloaded just for this. */
const GENERATOR = [
  '--package',
  'openapi-typescript@7.13.0',
  '--package',
  'typescript@5.9.3',
  'openapi-typescript',
];

/** A member with a default may be left out, and an object without described members may have any. */
const OPTIONS = ['--default-non-nullable=false', '--empty-objects-unknown'];

/** Writes the generated part of the client anew. */
const folder = mkdtempSync(join(tmpdir(), 'portico-client-'));
try {
  const document = openApiDocument();
  const input = join(folder, 'openapi.json');
  const output = join(folder, 'schema.ts');
  writeFileSync(input, JSON.stringify(forTypes(document)));
  execFileSync('npx', ['--yes', ...GENERATOR, input, ...OPTIONS, '--output', output], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  writeFileSync('src/client/schema.ts', schemaModule(document, readFileSync(output, 'utf8')));
  writeFileSync('src/client/operations.ts', operationsModule(document));
} finally {
  rmSync(folder, { recursive: true });
}
process.exit(0);
