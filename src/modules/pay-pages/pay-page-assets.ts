import { createHash } from 'node:crypto';
import { timeLeft } from './time-left.ts';

export const STYLE = `
  :root { color-scheme: light dark; --back: #f2f4f7; --card: #fff; --text: #1d2733; --soft: #55616e;
    --line: #d5dbe2; --go: #0b6e4f; --go-text: #fff; }
  @media (prefers-color-scheme: dark) { :root { --back: #12171d; --card: #1c232b; --text: #e8edf2; --soft: #a9b4c0;
    --line: #36414d; --go: #4cc79a; --go-text: #06251a; } }
  * { box-sizing: border-box; }
  body { font: 1rem/1.5 system-ui, sans-serif; margin: 0; background: var(--back); color: var(--text); }
  main { max-width: 30rem; margin: 2rem auto; padding: 1.5rem; background: var(--card); border-radius: .75rem; }
  @media (max-width: 32rem) { main { margin: 0; border-radius: 0; min-height: 100vh; } }
  h1 { font-size: 1.1rem; margin: 0; overflow-wrap: anywhere; }
  .amount { font-size: 2rem; font-weight: 600; margin: .25rem 0 1rem; line-height: 1.2; overflow-wrap: anywhere; }
  .state { font-weight: 600; padding-left: .75rem; border-left: .25rem solid var(--line); }
  .state.paid { border-color: var(--go); }
  dl { display: grid; grid-template-columns: minmax(6rem, auto) 1fr; gap: .25rem 1rem; margin: 1rem 0; }
  dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
  @media (max-width: 22rem) { dl { grid-template-columns: minmax(0, 1fr); gap: 0; } dd { margin-bottom: .5rem; } }
  [role=timer] { font-variant-numeric: tabular-nums; }
  figure { margin: 1rem 0; }
  .code { background: #fff; padding: .75rem; border: 1px solid var(--line); border-radius: .5rem; }
  .code svg { display: block; width: 100%; height: 3.75rem; } .code img { display: block; width: 100%; max-width: 14rem; margin: auto; }
  figcaption { margin-top: .5rem; overflow-wrap: anywhere; } .digits { font-variant-numeric: tabular-nums; font-size: .9rem; }
  form { display: inline; }
  button { font: inherit; min-height: 2.75rem; padding: .5rem 1.25rem; margin: 1rem .5rem 0 0; border-radius: .5rem;
    border: 1px solid var(--soft); background: transparent; color: var(--text); cursor: pointer; }
  button.pay { background: var(--go); border-color: var(--go); color: var(--go-text); }
  button:focus-visible { outline: 3px solid var(--text); outline-offset: 2px; }
  .note { color: var(--soft); font-size: .875rem; }
  [hidden] { display: none; }
  @media print {
    :root { --back: #fff; --card: #fff; --text: #000; --soft: #000; --line: #000; }
    @page { margin: 15mm; }
    main { max-width: none; margin: 0; padding: 0; min-height: 0; }
    form, button, .screen { display: none; }
    .code { border: 0; padding: 0; break-inside: avoid; }
    .code svg { width: 103mm; height: 13mm; } .code img { width: 50mm; margin: 0; }
  }
`;

const SECONDS_BETWEEN_LOOKS = 5;

/**
 * Counts the time down, prints, and looks for another state by the page's own ETag; a page that changed takes the
 * place of the old one. Without it the page loads itself anew.
 */
export const SCRIPT = `
'use strict';
const timeLeft = ${String(timeLeft)};
const main = document.querySelector('main');
const tick = () => {
  const timer = main.querySelector('[role=timer]');
  if (timer) timer.textContent = timeLeft(Date.parse(timer.dateTime) - Date.now(), document.documentElement.lang);
};
const show = () => {
  tick();
  for (const button of main.querySelectorAll('button[data-print]')) button.hidden = false;
};
const look = async () => {
  if (document.hidden || main.dataset.final) return;
  const response = await fetch(location.href, { headers: { 'If-None-Match': main.dataset.version }, cache: 'no-store' });
  if (response.status !== 200) return;
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html').querySelector('main');
  const [state, details] = main.querySelectorAll('.state, .details');
  const [freshState, freshDetails] = fresh.querySelectorAll('.state, .details');
  // The element stays, so that screen readers announce its new text.
  state.className = freshState.className;
  state.textContent = freshState.textContent;
  details.replaceChildren(...freshDetails.childNodes);
  Object.assign(main.dataset, fresh.dataset);
  show();
};
main.addEventListener('click', ({ target }) => { if (target.matches('[data-print]')) print(); });
document.addEventListener('visibilitychange', () => look().catch(() => {}));
setInterval(tick, 1000);
setInterval(() => look().catch(() => {}), ${SECONDS_BETWEEN_LOOKS * 1_000});
show();
`;

const sourceOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Nothing but the page's own style, script and images in it; forms and looks go back to where the page came from. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src ${sourceOf(STYLE)}`,
  `script-src ${sourceOf(SCRIPT)}`,
  "connect-src 'self'",
  'img-src data:',
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');
