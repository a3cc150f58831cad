import type { Page } from 'puppeteer-core';
import { PORTUGUESE } from '../../../src/panel/words.pt.ts';
import { accessibilityFaults, picture, useColors } from '../../support/browser.ts';

const VALUE = /\{\w+\}/g;
const literal = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The English texts that are not the same in Portuguese; those with values as expressions. */
const ENGLISH = Object.entries(PORTUGUESE)
  .filter(([text, said]) => text !== said && /\p{L}{2}/u.test(text.replaceAll(VALUE, '')))
  .map(([text]) => text);
const WHOLE = ENGLISH.filter((text) => !text.includes('{'));
const WITH_VALUES = ENGLISH.filter((text) => text.includes('{')).map(
  (text) => `^${text.split(VALUE).map(literal).join('.+')}$`,
);

/**
 * The texts of a page in Portuguese that are those of the English one: what is read, and what is heard. Words of the
 * API, which are English, stand in elements that say so or in code.
 */
export const englishIn = (page: Page): Promise<unknown> =>
  page.evaluate(`((whole, withValues) => {
    const isEnglish = (text) => whole.has(text) || withValues.some((one) => one.test(text));
    const said = [...document.querySelectorAll('[aria-label], [title], [placeholder]')].flatMap((element) =>
      ['aria-label', 'title', 'placeholder'].flatMap((name) => element.getAttribute(name) ?? []));
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode())
      if (!walker.currentNode.parentElement.closest('[lang=en], pre, code, script, style')) said.push(walker.currentNode.data);
    return [...new Set(said.map((text) => text.trim()).filter(isEnglish))];
  })(new Set(${JSON.stringify(WHOLE)}), ${JSON.stringify(WITH_VALUES)}.map((one) => new RegExp(one)))`);

const CUT = `[...document.querySelectorAll('dialog[open], dialog[open] button, main button, main h1, dialog[open] h2')]
  .filter(({ scrollWidth, clientWidth, offsetParent }) => offsetParent !== null && scrollWidth > clientWidth + 1)
  .map(({ innerText }) => 'cut: ' + innerText)`;

/** Faults of a page in both colours, each of which a picture shows. Only colours differ between the two. */
export const faultsInBothColors = async (page: Page, name: string): Promise<readonly string[]> => {
  const faults: string[] = [];
  for (const [colors, rules] of [
    ['dark', 'colors'],
    ['light', 'all'],
  ] as const) {
    await useColors(page, colors);
    faults.push(...(await accessibilityFaults(page, rules)).map((fault) => `${colors}: ${fault}`));
    await picture(page, `${name}-${colors}`);
  }
  return faults;
};

/** Faults of a page in Portuguese in both colours, its English texts, and what is cut on a phone. */
export const faultsInPortuguese = async (page: Page, name: string): Promise<readonly unknown[]> => {
  const faults: unknown[] = [...(await faultsInBothColors(page, `${name}-pt`))];
  faults.push(...((await englishIn(page)) as unknown[]).map((text) => `in English: ${text}`));
  await page.setViewport({ width: 320, height: 800 });
  const width = await page.evaluate('document.documentElement.scrollWidth');
  if (width !== 320) faults.push(`it is ${width} pixels wide`);
  faults.push(...((await page.evaluate(CUT)) as unknown[]));
  await picture(page, `${name}-pt-narrow`);
  await page.setViewport({ width: 1280, height: 900 });
  return faults;
};
