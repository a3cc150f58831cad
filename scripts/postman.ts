import { mkdirSync, writeFileSync } from 'node:fs';
import { openApiDocument } from './openapi-document.ts';
import { collectionOf } from './postman/collection.ts';

const FILE = 'dist/postman/portico.postman_collection.json';
const {
  BASE: baseUrl = 'http://127.0.0.1:3000',
  KEY: testKey = '',
  MASTER_KEY: masterKey = '',
} = process.env;

/** Writes the Postman collection with the keys from the environment. */
mkdirSync('dist/postman', { recursive: true });
writeFileSync(
  FILE,
  `${JSON.stringify(collectionOf(openApiDocument(), { baseUrl, testKey, masterKey }), null, 2)}\n`,
);
process.stdout.write(`${FILE}\n`, () => process.exit(0));
