import type { ElementHandle, JSHandle, Page } from 'puppeteer-core';

/** Long, because a busy machine draws slowly, and nothing here is about speed. */
export const PATIENCE_MS = 60_000;

/**
 * Returns the value of an expression once it is true. It is evaluated after each change of the page, because evaluating
 * costs work.
 */
export const until = (page: Page, expression: string): Promise<JSHandle> =>
  page.waitForFunction(
    `new Promise((resolve) => {
      const look = () => {
        const found = ${expression};
        if (!found) return;
        observer.disconnect();
        resolve(found);
      };
      const observer = new MutationObserver(look);
      observer.observe(document, { attributes: true, characterData: true, childList: true, subtree: true });
      look();
    })`,
    { timeout: PATIENCE_MS },
  );

/** Selectors for elements of a role. Their names are the ones that assistive technology reads, which axe checks. */
const ELEMENTS: Readonly<Record<string, string>> = {
  button: 'button',
  link: 'a[href]',
  heading: 'h1, h2, h3',
  textbox: 'input:not([type=number], [type=checkbox], [type=radio], [type=date], [type=file]), textarea',
  spinbutton: 'input[type=number]',
  checkbox: 'input[type=checkbox]',
  radio: 'input[type=radio]',
};
/** Finds the first such element in the topmost dialog, or on the screen where no dialog is open. */
const FIND = `((selector, name) => {
  const nameOf = (element) =>
    element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.innerText;
  const root = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document;
  return [...root.querySelectorAll(selector)].find((element) => nameOf(element).trim().replaceAll(/\\s+/g, ' ') === name) ?? null;
})`;
export const findNow = (role: string, name: string): string =>
  `${FIND}(${JSON.stringify(ELEMENTS[role])}, ${JSON.stringify(name)})`;

const findAt = async (page: Page, role: string, name: string, expression: string): Promise<ElementHandle> => {
  const found = await until(page, expression).catch((cause: unknown) => {
    throw new Error(`there is no ${role} ${name}`, { cause });
  });
  return found as ElementHandle;
};

/** Returns the element with a role and name once it exists. */
export const find = (page: Page, role: string, name: string): Promise<ElementHandle> =>
  findAt(page, role, name, findNow(role, name));
/** Clicks an element once it is enabled. */
export const click = async (page: Page, role: string, name: string): Promise<void> => {
  const enabled = `((found) => (found?.disabled ? null : found))(${findNow(role, name)})`;
  await (await findAt(page, role, name, enabled)).evaluate((element) =>
    (element as unknown as { click(): void }).click(),
  );
};
export const type = async (page: Page, name: string, text: string, role = 'textbox'): Promise<void> => {
  await (await find(page, role, name)).focus();
  await page.keyboard.sendCharacter(text);
};
export const textOf = (page: Page): Promise<string> => page.$eval('body', (body) => body.innerText);
/** Returns the whole text of a page once it contains this text. */
export const shows = async (page: Page, text: string): Promise<string> => {
  const isShown = `((shown) => (shown?.includes(${JSON.stringify(text)}) ? shown : null))(document.body?.innerText)`;
  const found = await until(page, isShown).catch(() => null);
  const shown = found ? String(await found.jsonValue()) : await textOf(page);
  expect(shown).toContain(text);
  return shown;
};
/** Waits until the timeline of a charge has an event. */
export const showsEvent = async (page: Page, type: string): Promise<void> => {
  await until(page, `document.querySelector('.timeline [title="${type}"]')`);
};
export const untilUpToDate = async (page: Page): Promise<void> => {
  await until(page, '!document.querySelector(".skeleton, .stale")');
};

/** Waits until the last dialog is closed. */
export const untilClosed = async (page: Page): Promise<void> => {
  await until(page, '!document.querySelector("dialog")');
};

/** Submits the open dialog. */
export const submit = (page: Page): Promise<void> =>
  page.$eval('dialog[open] button[type=submit]', (button) => (button as unknown as Input).click());
export type Input = { readonly value: string; select(): void; click(): void };
/** Types into a field of the dialog, by its name in the API, replacing its content. */
export const fill = async (page: Page, name: string, text: string): Promise<void> => {
  const selector = `dialog [name="${name}"]`;
  await page.$eval(selector, (input) => (input as unknown as Input).select());
  await page.keyboard.sendCharacter(text);
};

const MAX_TABS = 120;
/** Moves by the Tab key to a link, button or field with this text. */
export const reach = async (page: Page, name: string): Promise<void> => {
  for (let count = 0; count < MAX_TABS; count += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(
      'document.activeElement.labels?.[0]?.textContent ?? document.activeElement.textContent',
    );
    if (focused === name) return;
  }
  throw new Error(`Tab does not lead to ${name}`);
};
export const press = async (page: Page, name: string): Promise<void> => {
  await reach(page, name);
  await page.keyboard.press('Enter');
};
export const write = async (page: Page, name: string, text: string): Promise<void> => {
  await reach(page, name);
  await page.keyboard.type(text);
};
