import {
  brandOf,
  escaped,
  filled,
  headOf,
  type Locale,
  moneyIn,
  PAGE_STYLE,
  pagePolicy,
  styleTag,
} from '../../../platform/http/html-page.ts';
import type { Charge } from '../../charges/write/charge.ts';
import type { CardChanged } from '../write/change-card.ts';
import type { PaidCycle, PortalContent } from './portal-content.ts';
import { type Words, wordsOf } from './portal-words.ts';

const STYLE = `${PAGE_STYLE}
  h2 { font-size: 1rem; margin: 2rem 0 .5rem; }
  form { display: block; }
  label { display: block; margin-top: .75rem; }
  label.agree { display: grid; grid-template-columns: auto 1fr; gap: .75rem; align-items: start; }
  input { font: inherit; width: 100%; min-height: 2.75rem; padding: .5rem .75rem; border: 1px solid var(--soft);
    border-radius: .5rem; background: var(--card); color: var(--text); }
  input[type=checkbox] { width: 1.5rem; min-height: 1.5rem; margin: 0; }
  input:focus-visible, summary:focus-visible, a:focus-visible { outline: 3px solid var(--text); outline-offset: 2px; }
  .logo { display: block; max-width: 10rem; max-height: 2.5rem; margin-bottom: .5rem; }
  [aria-invalid=true] { border-color: var(--bad); border-width: 2px; }
  .row { display: grid; align-items: end; grid-template-columns: 1fr 1fr; gap: 0 1rem; }
  @media (max-width: 22rem) { .row { grid-template-columns: 1fr; } }
  .fault, .bad { color: var(--bad); } .fault { font-size: .875rem; display: block; }
  :root { --bad: #a4262c; }
  @media (prefers-color-scheme: dark) { :root { --bad: #ff9a92; } }
  summary { cursor: pointer; padding: .75rem 0; font-weight: 600; }
  a { color: inherit; }
  table { width: 100%; border-collapse: collapse; } td, th { text-align: left; padding: .5rem .5rem .5rem 0;
    border-bottom: 1px solid var(--line); } th { color: var(--soft); font-weight: normal; }
  .pix { width: 100%; font: .875rem/1.4 ui-monospace, monospace; overflow-wrap: anywhere; user-select: all; }
`;

export const PORTAL_POLICY = pagePolicy(STYLE);

/** The content and the path of a payer's page. */
export type PortalPage = PortalContent & {
  /** Path of the page. */
  readonly path: string;
  readonly locale: Locale;
  /** The result of the payer's last action. */
  readonly done: Done | null;
};
type Done = CardChanged | { readonly outcome: 'cancelled' | 'kept' };

const dayIn = (at: string, locale: Locale, timeZone: string): string =>
  new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'long' }).format(new Date(at));

const frameOf = (
  { locale, merchant }: Pick<PortalPage, 'locale'> & Partial<Pick<PortalPage, 'merchant'>>,
  title: string,
  content: string,
  more = '',
): string =>
  `${headOf(locale, title, STYLE, `${styleTag(merchant?.accentStyle ?? '')}${more}`)}
<body>
<main>
${content}
</main>
</body>
</html>
`;

/** The page on which a payer manages a subscription. */
export const portalHtml = (page: PortalPage): string => {
  const { subscription, merchant, plan, locale, portal } = page;
  const words = wordsOf(locale);
  const name = escaped(merchant.name);
  const logo = merchant.logo ? `<img class="logo" alt="" src="${escaped(merchant.logo)}">` : '';
  const what = escaped(subscription.description ?? plan?.name ?? '');
  const { amount, currency, interval, intervalCount } = subscription.price;
  const [one, several] = words.every[interval];
  const every = intervalCount === 1 ? one : filled(several, String(intervalCount));
  const price = escaped(moneyIn(amount, currency, locale));
  const refresh = page.pending ? '<meta http-equiv="refresh" content="10">' : '';
  return frameOf(
    page,
    `${what || price} – ${name}`,
    `${logo}<h1>${name}</h1>
<p class="amount">${price} <small>${every}</small></p>
${what ? `<p>${what}</p>` : ''}
<p class="state ${subscription.status === 'active' ? 'paid' : ''}">${words.states[subscription.status]}</p>
${noticeOf(page, words)}
<dl>${factsOf(page, words)}</dl>
${waitingOf(page, words)}
${cardFormOf(page, words)}
${paymentsOf(page, words)}
${endingOf(page, words)}
${portal.returnUrl ? `<p><a href="${escaped(portal.returnUrl)}">${filled(words.back, name)}</a></p>` : ''}
${portal.livemode ? '' : `<p class="note">${words.testNote}</p>`}`,
    refresh,
  );
};

const noticeOf = ({ done, pending }: PortalPage, words: Words): string => {
  if (pending) {
    const url = pending.authenticationUrl;
    const link = url ? ` <a href="${escaped(url)}">${words.confirmAtBank}</a>` : '';
    return `<p role="status">${words.outcomes.pending}${link}</p>`;
  }
  if (done === null) return '';
  if (done.outcome === 'cancelled') return `<p role="status">${words.cancelled}</p>`;
  if (done.outcome === 'kept') return `<p role="status">${words.kept}</p>`;
  const isGood = done.outcome === 'changed' || done.outcome === 'pending';
  return `<p role="${isGood ? 'status' : 'alert'}"${isGood ? '' : ' class="bad"'}>${words.outcomes[done.outcome]}</p>`;
};

const factsOf = ({ subscription, method, locale }: PortalPage, words: Words): string => {
  const { nextChargeAt, trialEnd, cancelAt, endedAt, cycle, calendar } = subscription;
  const fact = (term: string, html: string | null): string =>
    html ? `<dt>${term}</dt><dd>${html}</dd>` : '';
  const day = (at: string | null): string | null => at && escaped(dayIn(at, locale, calendar.timeZone));
  const isOver = endedAt !== null || cancelAt !== null;
  return [
    fact(words.nextPayment, isOver ? null : day(nextChargeAt)),
    fact(words.trialUntil, cycle === 0 && endedAt === null ? day(trialEnd) : null),
    fact(words.endsOn, endedAt === null ? day(cancelAt) : day(endedAt)),
    fact(
      words.card,
      method?.card
        ? escaped(
            filled(
              words.paidBy,
              brandOf(method.card.brand),
              method.card.lastFour,
              `${method.card.expirationMonth}/${method.card.expirationYear}`,
            ),
          )
        : null,
    ),
    fact('Pix', method?.mandate ? 'Pix Automático' : null),
  ].join('');
};

/** The payment that is to be made now. */
const waitingOf = ({ waiting, locale }: PortalPage, words: Words): string => {
  if (waiting === null) return '';
  const { amount, currency } = waiting.charge ?? waiting.cycle;
  const how =
    waiting.charge === null
      ? `<p><a href="${escaped(waiting.url)}">${words.openPayment}</a></p>`
      : instructionsOf(waiting.charge, waiting.qrCode, words);
  return `<h2>${words.payNow}: ${escaped(moneyIn(amount, currency, locale))}</h2>${how}`;
};

const instructionsOf = ({ instructions }: Charge, qrCode: string | null, words: Words): string => {
  switch (instructions?.type) {
    case 'pix':
      return `<figure><div class="code"><img alt="${words.pixImage}" src="${escaped(qrCode ?? '')}"></div></figure>
<p>${words.pixCode}</p><p class="pix">${escaped(instructions.copyPaste)}</p>`;
    case 'voucher':
      return `<p><a href="${escaped(instructions.paymentUrl)}">${words.openPayment}</a></p>`;
    default:
      return '';
  }
};

type FieldName = keyof Words['faults'];

const cardFormOf = (page: PortalPage, words: Words): string => {
  if (!page.takesCards || page.pending) return '';
  const { done, path, merchant } = page;
  const wrong = done?.outcome === 'faults' ? done.fields : [];
  const fault = (name: FieldName): string =>
    wrong.includes(name) ? `<span class="fault" id="${name}-fault">${words.faults[name]}</span>` : '';
  const state = (name: FieldName): string =>
    wrong.includes(name) ? ` aria-invalid="true" aria-describedby="${name}-fault"` : '';
  const field = (name: Exclude<FieldName, 'consent'>, attributes: string): string =>
    `<div><label for="${name}">${words[name]}</label>
<input id="${name}" name="${name}" required ${attributes}${state(name)}>
${fault(name)}</div>`;
  return `<details${done && 'fields' in done ? ' open' : ''}><summary>${words.changeCard}</summary>
<form method="post" action="${escaped(path)}/card">
${field('number', 'inputmode="numeric" autocomplete="cc-number" maxlength="30"')}
${field('holderName', 'autocomplete="cc-name" maxlength="100"')}
<div class="row">${field('expiry', 'inputmode="numeric" autocomplete="cc-exp" maxlength="9"')}
${field('cvv', 'inputmode="numeric" autocomplete="cc-csc" maxlength="4"')}</div>
<label class="agree"><input type="checkbox" name="consent" value="yes" required${state('consent')}>
<span>${filled(words.consent, escaped(merchant.legalName))}</span></label>${fault('consent')}
<button class="pay">${words.save}</button>
</form></details>`;
};

const paymentsOf = ({ paid, more, path, locale, subscription }: PortalPage, words: Words): string => {
  if (paid.length === 0) return `<h2>${words.payments}</h2><p class="note">${words.noPayments}</p>`;
  const { timeZone } = subscription.calendar;
  const rows = paid.map(({ cycle, status }) => {
    const day = escaped(dayIn(cycle.periodStart, locale, timeZone));
    const amount = escaped(moneyIn(cycle.amount, cycle.currency, locale));
    const back = status === 'refunded' ? ` <span class="note">${words.refunded}</span>` : '';
    const receipt = `<a href="${escaped(path)}/receipts/${cycle.number}">${words.receipt}</a>`;
    return `<tr><td>${day}</td><td>${amount}${back}</td><td>${receipt}</td></tr>`;
  });
  const to = (query: string, label: string): string =>
    `<a href="${escaped(path)}${query}#payments">${label}</a>`;
  const others = [
    ...(more.newer ? [to('', words.latestPayments)] : []),
    ...(more.older ? [to(`?before=${paid.at(-1)?.cycle.number}`, words.earlierPayments)] : []),
  ].join(' · ');
  return `<h2 id="payments">${words.payments}</h2><table><thead><tr><th scope="col">${words.date}</th>
<th scope="col">${words.amount}</th><th scope="col">${words.receipt}</th></tr></thead><tbody>${rows.join('')}</tbody></table>${others && `<p class="screen">${others}</p>`}`;
};

const endingOf = ({ canCancel, subscription, path }: PortalPage, words: Words): string => {
  if (!canCancel) return '';
  const form = (action: string, label: string): string =>
    `<form method="post" action="${escaped(path)}/${action}"><button>${label}</button></form>`;
  if (subscription.cancelAt !== null) return form('keep', words.keep);
  return `<details><summary>${words.cancel}</summary><p>${words.cancelNote}</p>${form('cancel', words.cancelNow)}</details>`;
};

/** The receipt of a cycle, to be printed. */
export const receiptHtml = (
  page: Pick<PortalPage, 'locale' | 'path' | 'subscription' | 'plan' | 'merchant'> & {
    readonly paid: PaidCycle;
    readonly charge: Charge;
  },
): string => {
  const { locale, merchant, charge, subscription, plan } = page;
  const { cycle, status } = page.paid;
  const words = wordsOf(locale);
  const { timeZone } = subscription.calendar;
  const name = escaped(merchant.legalName);
  const { paymentMethod, customer } = charge;
  const day = (at: string): string => escaped(dayIn(at, locale, timeZone));
  const fact = (term: string, html: string): string => (html ? `<dt>${term}</dt><dd>${html}</dd>` : '');
  const title = filled(words.receiptOf, name);
  return frameOf(
    page,
    title,
    `<h1>${title}</h1>
<p class="amount">${escaped(moneyIn(charge.amount, charge.currency, locale))}</p>
${status === 'refunded' ? `<p class="state">${words.refunded}</p>` : ''}
<dl>
${fact(name, escaped(merchant.companyTaxId ?? ''))}
${fact(words.payer, escaped(customer.name))}
${fact(words.period, `${day(cycle.periodStart)} – ${day(cycle.periodEnd)}`)}
${fact(words.paidAt, charge.paidAt ? day(charge.paidAt) : '')}
${fact(words.card, 'lastFour' in paymentMethod ? escaped(`${brandOf(paymentMethod.brand)} ···· ${paymentMethod.lastFour}`) : '')}
${fact(words.charge, escaped(charge.id))}
</dl>
<p>${escaped(subscription.description ?? plan?.name ?? '')}</p>
<p class="screen"><a href="${escaped(page.path)}">${filled(words.back, name)}</a></p>`,
  );
};

/** The page for an address that is unknown or no longer works. */
export const goneHtml = (locale: Locale): string => {
  const words = wordsOf(locale);
  return frameOf({ locale }, words.gone, `<h1>${words.gone}</h1><p>${words.goneNote}</p>`);
};
