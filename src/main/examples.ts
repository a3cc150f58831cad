import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Examples } from '../platform/http/openapi-examples.ts';
import { projectFolder } from '../platform/project-folder.ts';

const ERRORS = 'errors.json';
const WEBHOOKS = 'webhook-bodies.json';

let known: Examples | null = null;

/** Requests and answers that tests recorded for the OpenAPI document; `make examples` records them anew. */
export const readExamples = (): Examples => {
  known ??= readFrom(projectFolder('docs/openapi/examples'));
  return known;
};

const readFrom = (folder: string): Examples => {
  const read = (name: string): object => JSON.parse(readFileSync(join(folder, name), 'utf8'));
  const files = readdirSync(folder).filter((name) => name !== ERRORS && name !== WEBHOOKS);
  return {
    operations: Object.assign({}, ...files.map(read)),
    errors: read(ERRORS) as Examples['errors'],
    webhooks: read(WEBHOOKS) as Examples['webhooks'],
  };
};
