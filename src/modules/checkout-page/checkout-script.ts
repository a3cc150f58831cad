import { lean } from '../../platform/http/html-page.ts';
import { solveChallenge } from '../card-tokens/solve-challenge.ts';
import { timeLeft } from '../pay-pages/time-left.ts';
import { BRANDS_SOURCE } from './brands-source.ts';
import { groupedTaxNumber } from './grouped-tax-number.ts';
import { isTypedRight } from './is-typed-right.ts';
import { writtenAmount } from './written-amount.ts';

const SECONDS_BETWEEN_LOOKS = 4;
const RETURNS_AFTER_SECONDS = 20;

/**
 * Makes the page quicker to use; without it every form works as well. Forms are sent beside the page, so that what was
 * typed is still there where the gateway asks for a proof of work. A page that has changed takes the place of the old
 * one.
 */
export const CHECKOUT_SCRIPT = lean(`
'use strict';
const timeLeft = ${String(timeLeft)};
const solve = ${String(solveChallenge)};
const isTypedRight = ${String(isTypedRight)};
const writtenAmount = ${String(writtenAmount)};
const groupedTaxNumber = ${String(groupedTaxNumber)};
const BRANDS = ${BRANDS_SOURCE};
const live = document.querySelector('body > [role=status]');
const main = () => document.querySelector('main');
const all = (selector) => main().querySelectorAll(selector);
const isPhone = matchMedia('(pointer: coarse) and (hover: none)').matches;
let busy = false;
let left = ${RETURNS_AFTER_SECONDS};
const tick = () => {
  for (const timer of all('[role=timer][datetime]'))
    timer.textContent = timeLeft(Date.parse(timer.dateTime) - Date.now(), document.documentElement.lang);
  const back = main().querySelector('[data-back]');
  if (!back || back.dataset.stays || document.hidden) return;
  back.hidden = false;
  back.querySelector('time').textContent = String(left);
  if (left === 0) location.assign(back.dataset.back);
  left -= 1;
};
const ready = () => {
  for (const button of all('[data-copy], [data-print]')) button.hidden = false;
  // A phone cannot scan what it shows itself.
  if (isPhone) for (const scan of all('[data-scan]')) scan.open = false;
  tick();
};
const show = (html) => {
  const fresh = new DOMParser().parseFromString(html, 'text/html');
  main().replaceWith(fresh.querySelector('main'));
  document.title = fresh.title;
  live.textContent = main().dataset.state;
  ready();
};
const look = async () => {
  if (document.hidden || busy || !main().dataset.waits) return;
  const version = main().dataset.version;
  const response = await fetch(location.href, { headers: { 'If-None-Match': version }, cache: 'no-store' });
  if (response.status === 200 && !busy && main().dataset.version === version) show(await response.text());
};
const send = (form, proof) => {
  const body = new URLSearchParams(new FormData(form));
  if (proof) body.set('proof', proof);
  return fetch(form.action, { method: 'POST', body });
};
const submit = async (form, button) => {
  const words = main().dataset;
  const said = button.textContent;
  button.setAttribute('aria-disabled', 'true');
  if (form.dataset.pay) button.textContent = words.sending;
  try {
    let response = await send(form);
    const challenge = response.headers.get('X-Proof-Of-Work-Challenge');
    if (response.status === 429 && challenge) {
      button.textContent = words.preparing;
      response = await send(form, await solve(challenge));
    }
    // A link leads to the session of its payer.
    if (response.redirected && new URL(response.url).pathname !== location.pathname) {
      location.assign(response.url);
      return;
    }
    show(await response.text());
    const wrong = main().querySelector('[aria-invalid=true]') ?? main().querySelector('[role=alert]');
    if (wrong) wrong.focus();
    else scrollTo(0, 0);
  } catch {
    live.textContent = words.offline;
    button.removeAttribute('aria-disabled');
    button.textContent = said;
    const note = form.querySelector('[data-offline]') ?? form.appendChild(document.createElement('p'));
    note.className = 'error';
    note.dataset.offline = 'yes';
    note.textContent = words.offline;
  }
};
document.addEventListener('submit', (event) => {
  const form = event.target;
  // A field of the form is called method.
  if (form.getAttribute('method') !== 'post') return;
  event.preventDefault();
  if (busy) return;
  busy = true;
  submit(form, event.submitter ?? form.querySelector('button')).finally(() => { busy = false; });
});
document.addEventListener('click', ({ target }) => {
  const button = target.closest('button');
  if (!button) return;
  if (button.matches('[data-print]')) print();
  if (button.matches('[data-stay]')) button.closest('[data-back]').dataset.stays = button.closest('[data-back]').hidden = true;
  if (button.matches('[data-copy]'))
    navigator.clipboard.writeText(document.getElementById(button.dataset.copy).dataset.value).then(() => {
      button.textContent = live.textContent = main().dataset.copied;
    });
});
/** Says beside a field that it is wrong, or no longer. */
const mark = (field, isWrong) => {
  const id = field.id + '-fault';
  const others = (field.getAttribute('aria-describedby') ?? '').split(' ').filter((one) => one && one !== id);
  document.getElementById(id)?.remove();
  field.removeAttribute('aria-invalid');
  if (isWrong) {
    const fault = document.createElement('p');
    Object.assign(fault, { id, className: 'error', textContent: field.dataset.fault });
    field.after(fault);
    field.setAttribute('aria-invalid', 'true');
    others.unshift(id);
  }
  if (others.length > 0) field.setAttribute('aria-describedby', others.join(' '));
  else field.removeAttribute('aria-describedby');
};
const amountIn = ({ dataset, value }) => {
  const amount = writtenAmount(value.trim(), Number(dataset.digits));
  return amount !== null && amount >= Number(dataset.min) && amount <= Number(dataset.max) ? amount : null;
};
const isWrong = (field) => {
  const { dataset, value } = field;
  if (dataset.check === undefined || value.trim() === '') return false;
  if (dataset.check === 'amount') return amountIn(field) === null;
  return !isTypedRight(dataset.check, value.trim(), new Date());
};
document.addEventListener('focusout', ({ target }) => {
  if (target.dataset.check === undefined) return;
  if (isWrong(target)) mark(target, true);
  else if (target.dataset.check === 'amount' && target.value.trim() !== '') {
    const digits = Number(target.dataset.digits);
    const form = { minimumFractionDigits: digits, maximumFractionDigits: digits };
    target.value = amountIn(target).toLocaleString(document.documentElement.lang, form);
  }
});
document.addEventListener('input', ({ target }) => {
  const digits = target.value.replace(/\\D/g, '');
  if (target.name === 'number')
    all('[data-brand]')[0].textContent = BRANDS.find(([, begin]) => begin.test(digits))?.[0] ?? '';
  if (target.selectionStart !== target.value.length) return;
  if (target.name === 'number') {
    const groups = /^3[47]/.test(digits) ? /^(\\d{1,4})(\\d{1,6})?(\\d{1,5})?/ : /(\\d{1,4})/g;
    target.value = (digits.match(groups) ?? []).slice(/^3[47]/.test(digits) ? 1 : 0).filter(Boolean).join(' ');
  }
  if (target.name === 'expiry' && /^\\d{3,4}$/.test(target.value))
    target.value = target.value.slice(0, 2) + '/' + target.value.slice(2);
  if (target.dataset.check === 'document') target.value = groupedTaxNumber(target.value);
});
document.addEventListener('input', ({ target }) => {
  if (target.getAttribute('aria-invalid') && !isWrong(target)) mark(target, false);
});
document.addEventListener('visibilitychange', () => look().catch(() => {}));
setInterval(tick, 1000);
setInterval(() => look().catch(() => {}), ${SECONDS_BETWEEN_LOOKS * 1_000});
ready();
`);
