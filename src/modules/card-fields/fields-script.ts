import { lean } from '../../platform/http/html-page.ts';
import { solveChallenge } from '../card-tokens/solve-challenge.ts';
import { BRANDS_SOURCE } from '../checkout-page/brands-source.ts';
import { isTypedRight } from '../checkout-page/is-typed-right.ts';

/**
 * The style properties that a shop may set, each with the custom property of the page that takes it, and with a CSS
 * property by which its value is checked.
 */
const STYLES = {
  color: ['--text', 'color'],
  softColor: ['--soft', 'color'],
  ground: ['--ground', 'color'],
  fieldColor: ['--field', 'color'],
  borderColor: ['--border', 'color'],
  borderWidth: ['--border-width', 'border-top-width'],
  borderRadius: ['--radius', 'border-top-left-radius'],
  padding: ['--pad', 'padding'],
  fontSize: ['--size', 'font-size'],
  fontWeight: ['--weight', 'font-weight'],
} as const;

/**
 * The script of the page within the shop's page. It answers only its parent, whose origin the browser vouches for, and
 * never with anything that was typed.
 */
export const FIELDS_SCRIPT = lean(`
'use strict';
const solve = ${String(solveChallenge)};
const isTypedRight = ${String(isTypedRight)};
const MARK = 'portico-card-fields';
const STYLES = ${JSON.stringify(STYLES)};
const { parent: shop, key, method } = document.body.dataset;
const field = (name) => document.getElementById(name);
const NAMES = method ? ['cvv'] : ['number', 'expiry', 'cvv', 'holderName'];
const tell = (message) => parent.postMessage({ mark: MARK, ...message }, shop);
const tellHeight = () => tell({ type: 'height', height: document.documentElement.scrollHeight });
const show = (name, isWrong) => {
  field(name).setAttribute('aria-invalid', String(isWrong));
  // Screen readers would read a hidden fault, too.
  if (isWrong) field(name).setAttribute('aria-describedby', name + '-fault');
  else field(name).removeAttribute('aria-describedby');
  field(name + '-fault').hidden = !isWrong;
  tellHeight();
};
const digitsOf = (name) => field(name).value.replace(/\\D/g, '');
const BRANDS = ${BRANDS_SOURCE};
const luminanceOf = (color) => {
  const [red, green, blue] = (color.match(/[0-9.]+/g) ?? []).map((part) => {
    const share = Number(part) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
};
/** The shop's colours, on which its payers have to be able to read. */
const checkContrast = () => {
  if (!key.startsWith('pk_test_')) return;
  const page = getComputedStyle(document.body);
  const box = getComputedStyle(field('cvv'));
  const pairs = [
    ['text on the ground', page.color, page.backgroundColor, 4.5, '1.4.3'],
    ['text in the fields', box.color, box.backgroundColor, 4.5, '1.4.3'],
    ...(method ? [] : [['soft text in the fields', getComputedStyle(field('brand')).color, box.backgroundColor, 4.5, '1.4.3']]),
    ['borders on the ground', box.borderTopColor, page.backgroundColor, 3, '1.4.11'],
  ];
  for (const [name, one, other, least, rule] of pairs) {
    const [dark, light] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
    const contrast = light / dark;
    if (contrast < least) console.warn('Portico: the contrast of ' + name + ' is ' + contrast.toFixed(1) + ', and ' + least + ' is the least that people can see (WCAG 2.2, ' + rule + ').');
  }
};
const expiry = () => {
  const [, month = '', year = ''] = /^(\\d{1,2}?)\\s*[/-]?\\s*(\\d{2}|\\d{4})$/.exec(field('expiry').value.trim()) ?? [];
  return { expirationMonth: month.padStart(2, '0'), expirationYear: year.length === 2 ? '20' + year : year };
};
const isGood = {
  number: () => isTypedRight('number', digitsOf('number'), new Date()),
  expiry: () => isTypedRight('expiry', field('expiry').value.trim(), new Date()),
  cvv: () => /^\\d{3,4}$/.test(field('cvv').value.trim()),
  holderName: () => field('holderName').value.trim() !== '',
};
const fault = (code, message, name = null) => ({ error: { code, message, field: name } });
const FIELD_OF = { expirationMonth: 'expiry', expirationYear: 'expiry' };
const cardOf = (currency) => ({
  number: digitsOf('number'),
  holderName: field('holderName').value.trim(),
  ...expiry(),
  ...(currency ? { currency } : {}),
});
const post = (proof, currency) =>
  fetch(method ? '/v1/cvv-tokens' : '/v1/card-tokens', {
    method: 'POST',
    headers: { Authorization: 'Bearer ' + key, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      ...(method ? { paymentMethodId: method } : cardOf(currency)),
      cvv: field('cvv').value.trim(),
      ...(proof ? { proof } : {}),
    }),
  });
const tokenize = async (currency) => {
  const wrong = NAMES.filter((name) => !isGood[name]());
  for (const name of NAMES) show(name, wrong.includes(name));
  if (wrong.length > 0) {
    field(wrong[0]).focus();
    return fault('FIELD_INVALID', field(wrong[0] + '-fault').textContent, wrong[0]);
  }
  let response = await post(null, currency);
  const challenge = response.headers.get('X-Proof-Of-Work-Challenge');
  if (response.status === 429 && challenge) response = await post(await solve(challenge), currency);
  const body = await response.json();
  if (response.ok) return { token: body.id };
  const path = body.errors?.[0]?.path;
  const name = FIELD_OF[path] ?? path;
  if (NAMES.includes(name)) {
    show(name, true);
    field(name).focus();
    return fault('FIELD_INVALID', field(name + '-fault').textContent, name);
  }
  return fault(body.code ?? 'UNAVAILABLE', body.message ?? '');
};
const setStyle = (style) => {
  for (const [name, [property, kind]] of Object.entries(STYLES)) {
    const value = String(style[name] ?? '');
    if (/^[\\w#.,%() +-]{1,60}$/.test(value) && !/url/i.test(value) && CSS.supports(kind, value))
      document.documentElement.style.setProperty(property, value);
  }
  if (['light', 'dark', 'auto'].includes(style.colorScheme)) document.documentElement.dataset.scheme = style.colorScheme;
  checkContrast();
  tellHeight();
};
addEventListener('message', async ({ origin, source, data }) => {
  if (source !== parent || origin !== shop || data?.mark !== MARK) return;
  if (data.type === 'style' && typeof data.style === 'object' && data.style !== null) setStyle(data.style);
  if (data.type === 'clear') for (const name of NAMES) field(name).value = '';
  if (data.type !== 'tokenize' || !Number.isSafeInteger(data.id)) return;
  const currency = /^[A-Z]{3}$/.test(data.currency ?? '') ? data.currency : null;
  const answer = await tokenize(currency).catch(() => fault('UNAVAILABLE', ''));
  tell({ type: 'answer', id: data.id, answer });
});
document.addEventListener('input', ({ target }) => {
  const digits = target.value.replace(/\\D/g, '');
  const isAtEnd = target.selectionStart === target.value.length;
  if (isAtEnd && target.id === 'number') {
    const isAmex = /^3[47]/.test(digits);
    const groups = isAmex ? /^(\\d{1,4})(\\d{1,6})?(\\d{1,5})?/.exec(digits).slice(1).filter(Boolean) : digits.match(/\\d{1,4}/g);
    target.value = (groups ?? []).join(' ');
  }
  if (isAtEnd && target.id === 'expiry' && /^\\d{3,4}$/.test(target.value))
    target.value = target.value.slice(0, 2) + '/' + target.value.slice(2);
  if (target.id === 'number') field('brand').textContent = BRANDS.find(([, begin]) => begin.test(digits))?.[0] ?? '';
  if (isGood[target.id]()) show(target.id, false);
  tell({ type: 'change', isComplete: NAMES.every((name) => isGood[name]()) });
});
document.addEventListener('focusout', ({ target }) => {
  if (target.value && !isGood[target.id]()) show(target.id, true);
});
document.addEventListener('submit', (event) => event.preventDefault());
tell({ type: 'ready' });
tellHeight();
`);
