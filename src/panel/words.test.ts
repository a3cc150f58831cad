import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PORTUGUESE } from './words.pt.ts';

const FOLDER = 'src/panel';

/** Texts that screens and components show: the first argument of `t`, and titles of the navigation. */
const textsIn = (source: string): readonly string[] =>
  [...source.matchAll(/(?:\bt\(\s*|title: )(?:'((?:[^'\\]|\\.)*)'|"([^"]*)")/g)].map(
    ([, single, double]) => single ?? double ?? '',
  );

const sources = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !name.includes('words'))
  .map((name) => readFileSync(join(FOLDER, name), 'utf8'));
const texts = new Set(sources.flatMap(textsIn));

describe('the panel in Portuguese', () => {
  it('has a translation of every text', () => {
    expect(texts.size).toBeGreaterThan(150);
    expect([...texts].filter((text) => PORTUGUESE[text] === undefined)).toEqual([]);
  });

  it('has no translation that nothing needs', () => {
    expect(Object.keys(PORTUGUESE).filter((text) => !texts.has(text))).toEqual([]);
  });

  it('keeps the values of each text', () => {
    const valuesOf = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([value]) => value).toSorted();
    const wrong = Object.entries(PORTUGUESE).filter(
      ([text, said]) => JSON.stringify(valuesOf(text)) !== JSON.stringify(valuesOf(said)),
    );
    expect(wrong).toEqual([]);
  });
});
