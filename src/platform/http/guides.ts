import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, posix, relative } from 'node:path';
import { projectFolder } from '../project-folder.ts';

/** A page of the documentation as Markdown. */
type Guide = {
  /** Path below the gateway's address, such as `/docs/guide/charges.md`. */
  readonly path: string;
  readonly title: string;
  /** The first sentence of the page. */
  readonly about: string;
  readonly text: string;
};

/** An image that pages show. */
type Picture = { readonly path: string; readonly content: Buffer };

export type Documentation = { readonly guides: readonly Guide[]; readonly pictures: readonly Picture[] };

/** Pages outside `docs` that lead to the ones in it. */
export const PAGES_OF_PROJECT = ['README.md', 'CHANGELOG.md', 'SECURITY.md', 'CONTRIBUTING.md'];

/** Reads the pages of the project and the images in them, guides first. */
export const readDocumentation = (project = projectFolder('.')): Documentation => {
  const docs = readdirSync(join(project, 'docs'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(project, join(entry.parentPath, entry.name)));
  const ending = (extension: string) => docs.filter((file) => extname(file) === extension);
  const pages = [...ending('.md'), ...PAGES_OF_PROJECT];
  const pictures = ending('.webp');
  const served = new Set([...pages, ...pictures].map((file) => `/${file}`));
  return {
    guides: pages
      .map((file) => guideOf(`/${file}`, readFileSync(join(project, file), 'utf8'), served))
      .sort((left, right) => placeOf(left) - placeOf(right) || (left.path < right.path ? -1 : 1)),
    pictures: pictures.map((file) => ({ path: `/${file}`, content: readFileSync(join(project, file)) })),
  };
};

/** Matches a paragraph, as opposed to a heading, a table, an image or commands. */
const PROSE = /^(?!```)[\w[`]/;

const guideOf = (path: string, text: string, served: ReadonlySet<string>): Guide => {
  const [heading = '', ...parts] = text.split(/\n\n+/);
  const first = plain(parts.find((part) => PROSE.test(part)) ?? '');
  return {
    path,
    title: heading.replace(/^#+ /, ''),
    about: first.match(/^.*?\.(?= |$)/)?.[0] ?? first,
    text: withServedLinks(path, text, served),
  };
};

const LINK_WITHIN = /\[([^\]]*)\]\((?!https?:|#)([^)#]*)(?:#[^)]*)?\)/g;

/** Replaces links to files of the project that a gateway does not serve by the names of these files. */
const withServedLinks = (page: string, text: string, served: ReadonlySet<string>): string =>
  text.replaceAll(LINK_WITHIN, (link, words: string, target: string) => {
    const path = posix.join(posix.dirname(page), target);
    if (served.has(path)) return link;
    const file = `\`${path.slice(1)}\``;
    return words === file ? file : `${words} (${file})`;
  });

const plain = (markdown: string): string =>
  markdown.replaceAll('\n', ' ').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');

const isForIntegrators = ({ path }: Guide): boolean => path.startsWith('/docs/guide/');
const placeOf = (guide: Guide): number => (isForIntegrators(guide) ? 0 : 1);

/** The index of the pages that a language model should read, in the format of llmstxt.org. */
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
