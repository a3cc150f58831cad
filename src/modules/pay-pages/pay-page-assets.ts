import { PAGE_STYLE, pagePolicy } from '../../platform/http/html-page.ts';
import { timeLeft } from './time-left.ts';

const SECONDS_BETWEEN_LOOKS = 4;

/**
 * Counts the time down, copies, prints, and looks for another state by the page's own ETag; a page that changed takes the
 * place of the old one. Without it the page loads itself anew.
 */
export const SCRIPT = `
'use strict';
const timeLeft = ${String(timeLeft)};
const main = document.querySelector('main');
const isPhone = matchMedia('(pointer: coarse) and (hover: none)').matches;
const tick = () => {
  const timer = main.querySelector('[role=timer]');
  if (timer) timer.textContent = timeLeft(Date.parse(timer.dateTime) - Date.now(), document.documentElement.lang);
};
const show = () => {
  tick();
  for (const button of main.querySelectorAll('button[data-print]')) button.hidden = false;
  if (navigator.clipboard) for (const button of main.querySelectorAll('button[data-copy]')) button.hidden = false;
  if (isPhone) for (const scan of main.querySelectorAll('.scan')) scan.open = false;
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
main.addEventListener('click', async ({ target }) => {
  const button = target.closest('button');
  if (!button) return;
  if (button.matches('[data-print]')) print();
  if (!button.matches('[data-copy]')) return;
  await navigator.clipboard.writeText(button.dataset.copy);
  button.firstElementChild.textContent = button.dataset.done;
});
document.addEventListener('visibilitychange', () => look().catch(() => {}));
setInterval(tick, 1000);
setInterval(() => look().catch(() => {}), ${SECONDS_BETWEEN_LOOKS * 1_000});
show();
`;

export const PAGE_POLICY = pagePolicy(PAGE_STYLE, SCRIPT);
