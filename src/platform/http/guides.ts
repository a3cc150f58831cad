import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { projectFolder } from '../project-folder.ts';

/** A page of the documentation as Markdown. */
type Guide = {
  /** Address below the gateway's own, `/docs/guide/charges.md`. */
  readonly path: string;
  readonly title: string;
  /** Its first sentence. */
  readonly about: string;
  readonly text: string;
};

/** Reads the pages of a folder and of those within it, guides first. */
export const readGuides = (folder = projectFolder('docs')): readonly Guide[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => guideOf(folder, join(entry.parentPath, entry.name)))
    .sort((left, right) => placeOf(left) - placeOf(right) || (left.path < right.path ? -1 : 1));

const guideOf = (folder: string, file: string): Guide => {
  const text = readFileSync(file, 'utf8');
  const [heading = '', first = ''] = text.split(/\n\n+/);
  return {
    path: `/docs/${relative(folder, file)}`,
    title: heading.replace(/^#+ /, ''),
    about: first.startsWith('#') ? '' : (plain(first).match(/^.*?[.:](?= |$)/)?.[0] ?? plain(first)),
    text,
  };
};

const plain = (markdown: string): string =>
  markdown.replaceAll('\n', ' ').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');

const isForIntegrators = ({ path }: Guide): boolean => path.startsWith('/docs/guide/');
const placeOf = (guide: Guide): number => (isForIntegrators(guide) ? 0 : 1);

/** The way to what a language model should read, by the form of llmstxt.org. */
export const llmsText = (guides: readonly Guide[]): string => {
  const section = (title: string, some: readonly Guide[]): string =>
    [`## ${title}`, '', ...some.map(({ path, title: name, about }) => `- [${name}](${path}): ${about}`)]
      .map((line) => line.replace(/: $/, ''))
      .join('\n');
  return `${[
    '# Portico',
    '> A payment gateway: charges by card, Pix, voucher, bank transfer and QR code, refunds, webhooks, statements, and marketplaces with splits and payouts.',
    'Programs authenticate with a secret key, `Authorization: Bearer sk_…`. Bodies are JSON, amounts decimal numbers in the currency beside them. There is no `Idempotency-Key`: read a charge by its `reference` before sending it again.',
    `## API\n\n- [OpenAPI document](/v1/openapi.json): every operation with its schemas, error codes, recorded examples and webhooks`,
    section('Guides', guides.filter(isForIntegrators)),
    section(
      'Optional',
      guides.filter((guide) => !isForIntegrators(guide)),
    ),
  ].join('\n\n')}\n`;
};
