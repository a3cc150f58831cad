import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Engines, startEngines } from '../../scripts/engines/engines.ts';
import { openApiDocument } from '../../scripts/openapi-document.ts';
import { newDataDir } from '../support/data-dir.ts';
import { TEST_SERVERS } from '../support/volume.ts';

declare global {
  var testEngines: { readonly engines: Engines; readonly dataDir: string } | undefined;
}

/** One set of servers for all suites; those that the environment names are used as they are. */
// biome-ignore lint/style/noDefaultExport: jest asks for it
export default async function start(): Promise<void> {
  const dataDir = newDataDir('test');
  const engines = await startEngines({
    ...TEST_SERVERS,
    dataDir,
    given: {
      mongodbUri: process.env.MONGODB_URI,
      elasticsearchNode: process.env.ELASTICSEARCH_NODE,
      redisUrl: process.env.REDIS_URL,
    },
    progress: (line) => process.stderr.write(`${line}\n`),
    onExit: (name, code) => process.stderr.write(`the ${name} server of the tests ended: ${code}\n`),
  });
  // The tests hold every answer against it; to have each of a hundred gateways make it would take minutes.
  process.env.OPENAPI_FILE = join(dataDir, 'openapi.json');
  writeFileSync(process.env.OPENAPI_FILE, JSON.stringify(openApiDocument()));
  process.env.GIVEN_MONGODB_URI = process.env.MONGODB_URI ?? '';
  process.env.MONGODB_URI = engines.mongodbUri;
  process.env.ELASTICSEARCH_NODE = engines.elasticsearchNode;
  process.env.REDIS_URL = engines.redisUrl;
  globalThis.testEngines = { engines, dataDir };
}
