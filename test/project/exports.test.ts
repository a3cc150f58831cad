import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDERS = ['config', 'scripts', 'src', 'test'];

/** The client is for others, so its exports are used outside. */
const isSource = (file: string): boolean => /\.(tsx?|c?js)$/.test(file) && !file.startsWith('src/client/');

const sources = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter(isSource)
    .map((file) => ({ file, text: readFileSync(file, 'utf8') })),
);

const exportsOf = (text: string): readonly string[] => [
  ...[...text.matchAll(/^export (?:const|type|(?:async )?function|class) (\w+)/gm)].map(
    ([, name = '']) => name,
  ),
  ...[...text.matchAll(/^export const \{([^}]*)\}/gm)].flatMap(([, names = '']) => names.match(/\w+/g) ?? []),
];

it('names are exported only where another file uses them', () => {
  const files = new Map<string, number>();
  for (const { text } of sources)
    for (const word of new Set(text.match(/\w+/g))) files.set(word, (files.get(word) ?? 0) + 1);
  const unused = sources.flatMap(({ file, text }) =>
    exportsOf(text)
      .filter((name) => files.get(name) === 1)
      .map((name) => `${file}: ${name}`),
  );
  expect(unused).toEqual([]);
});
