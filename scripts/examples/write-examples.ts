import 'reflect-metadata';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiDocument } from '../openapi-document.ts';
import {
  chooseErrors,
  chooseExamples,
  chooseWebhooks,
  eventBodiesIn,
  type OperationExamples,
  type SentBody,
} from './choose.ts';
import { type Asked, createFinder, type Exchange } from './exchanges.ts';

const FOLDER = 'docs/openapi/examples';

/**
 * Writes the examples of the OpenAPI document anew, from the exchanges that tests recorded in the folder
 * RECORD_EXAMPLES.
 */
const recorded = process.env.RECORD_EXAMPLES ?? '';
const find = createFinder(openApiDocument());
type Line = Exchange | { readonly sent: SentBody };
const lines = readdirSync(recorded)
  .flatMap((name) => readFileSync(join(recorded, name), 'utf8').trimEnd().split('\n'))
  .map((line) => JSON.parse(line) as Line);
const sent = lines.flatMap((line) => ('sent' in line ? [line.sent] : []));
const asked = lines.flatMap((line): readonly Asked[] => {
  const found = 'sent' in line ? null : find(line);
  return found === null ? [] : [found];
});

/** With KEEP_EXAMPLES=1 only missing examples are added, because a few tests cannot replace the examples of all. */
const known = <T>(name: string): Readonly<Record<string, T>> => {
  const file = join(FOLDER, `${name}.json`);
  return process.env.KEEP_EXAMPLES === '1' && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
};
const write = (name: string, all: object): void => {
  const examples = Object.entries(all).sort(([one], [other]) => (one < other ? -1 : 1));
  writeFileSync(join(FOLDER, `${name}.json`), `${JSON.stringify(Object.fromEntries(examples), null, 1)}\n`);
};
/** Adds the answers that known operations lack. */
const writeOperations = (name: string, found: Readonly<Record<string, OperationExamples>>): void => {
  const before = known<OperationExamples>(name);
  const completed = Object.entries(found).map(([id, example]) => {
    const kept = before[id] ?? example;
    return [id, { ...kept, answers: { ...example.answers, ...kept.answers } }];
  });
  write(name, { ...before, ...Object.fromEntries(completed) });
};
const fileOf = (tag: string): string =>
  tag
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, '-')
    .replace(/-$/, '');

if (process.env.KEEP_EXAMPLES !== '1') rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
for (const file of new Set(asked.map(({ tag }) => fileOf(tag))))
  writeOperations(file, chooseExamples(asked.filter(({ tag }) => fileOf(tag) === file)));
write('errors', { ...chooseErrors(asked), ...known('errors') });
write('webhook-bodies', {
  ...chooseWebhooks([...sent, ...eventBodiesIn(asked)]),
  ...known('webhook-bodies'),
});
process.exit(0);
