import type { CommandContext } from '../../kernel/event.ts';
import type { EnvironmentTime } from '../../platform/environment-time.ts';
import { alsoStyled, type Locale, localeFor, pageReply } from '../../platform/http/html-page.ts';
import { type Reply, type Route, type RouteRequest, type Routes, route } from '../../platform/http/route.ts';
import { dateTime, httpUrl } from '../../platform/http/schemas.ts';
import { anyObject, number, object, string, type ValueOf } from '../../platform/http/typed.ts';
import type { CheckUrl } from '../../platform/outbound/check-url.ts';
import type { FindById } from '../../platform/write-store/read-resource.ts';
import type { Charge } from '../charges/write/charge.ts';
import { subscriptionOwnerOnly } from '../subscriptions/write/refusals.ts';
import { fieldsOf, readCardForm } from './page/card-form.ts';
import type { GetPortalContent } from './page/portal-content.ts';
import { goneHtml, PORTAL_POLICY, type PortalPage, portalHtml, receiptHtml } from './page/portal-page.ts';
import type { CardChanged, ChangeCard, SettlePendingCard } from './write/change-card.ts';
import type { EndSubscription } from './write/end-subscription.ts';
import type { FindPortal, OpenPage, PortalAddress } from './write/find-portal.ts';
import { type OpenPortal, portalUrl } from './write/open-portal.ts';

const DAY_SECONDS = 86_400;
const LONGEST_DAYS = 30;

const portalRequest = object({
  expiresIn: number()
    .integer()
    .min(60)
    .max(LONGEST_DAYS * DAY_SECONDS)
    .default(DAY_SECONDS)
    .description('Seconds for which the address works; a day by default, at most 30.'),
  returnUrl: httpUrl()
    .allow(null)
    .default(null)
    .description('Where the page leads back to; https with live keys.'),
})
  .optional()
  .example({ returnUrl: 'https://shop.example.com/account' })
  .label('PortalRequest');

const portalAnswer = object({
  url: string().required().description('Address of the page: a secret, which opens it for anybody.'),
  expiresAt: dateTime().required().description('Until when it works.'),
}).label('Portal');

export const openPortalRoutes: Routes<{ openPortal: OpenPortal; checkUrl: CheckUrl }> = (deps) => [
  route({
    method: 'post',
    operationId: 'openSubscriptionPortal',
    path: '/v1/subscriptions/{id}/portal',
    params: { id: 'Id of the subscription, `sub_…`.' },
    tag: 'Subscriptions',
    summary: 'Open a page for the payer',
    description:
      'A page of the gateway at which the payer sees what runs and what was paid, with receipts, uses another card, and ends the subscription where the setting `portal_cancel` allows it. Ask for the address when it is needed: it is a secret.',
    access: { merchant: 'subscriptions.manage' },
    body: portalRequest,
    responses: { 200: { description: 'The page.', schema: portalAnswer } },
    refusals: [subscriptionOwnerOnly],
    errors: [404],
    async handle({ principal, params: { id }, body, context }) {
      const { expiresIn = DAY_SECONDS, returnUrl = null } = body ?? {};
      deps.checkUrl('returnUrl', returnUrl);
      const opened = await deps.openPortal({ principal, subscriptionId: id, expiresIn, returnUrl }, context);
      return { status: 200, body: opened };
    },
  }),
];

type PageDeps = {
  findPortal: FindPortal;
  time: EnvironmentTime;
  getPortalContent: GetPortalContent;
  changeCard: ChangeCard;
  settlePendingCard: SettlePendingCard;
  endSubscription: EndSubscription;
  findCharge: FindById<Charge>;
  publicUrl: () => string;
};

const PAGE = { tag: 'Pages', page: true, access: null } as const;
const HTML = { 200: { description: 'The page.', otherTypes: ['text/html'] } };
const FORM = { 'application/x-www-form-urlencoded': anyObject() };
const NOT_STORED = { 'Cache-Control': 'no-store' };
const DONE = ['changed', 'cancelled', 'kept'] as const;
const MAX_CYCLE = 999_999;
const pageQuery = object({
  done: string()
    .valid(...DONE)
    .description('The change that was made a moment ago.'),
  before: number()
    .integer()
    .min(1)
    .max(MAX_CYCLE)
    .description('Shows the payments of cycles before this one; the latest ones where absent.'),
});

type PageQuery = ValueOf<typeof pageQuery>;
type PageRequest<Query, Params> = RouteRequest<unknown, Query, PortalAddress & Params>;

const addressOf = ({ params: { id, secret } }: PageRequest<unknown, unknown>): PortalAddress => ({
  id,
  secret,
});
const pathOf = ({ id, secret }: PortalAddress): string => `/portal/${id}/${secret}`;

const reply = (html: string, locale: Locale, status = 200, accentStyle = ''): Reply =>
  pageReply(html, { policy: alsoStyled(PORTAL_POLICY, accentStyle), locale, status, headers: NOT_STORED });

/** Opens the page of a request, or answers that its address no longer works. */
const withPage =
  <Query, Params>(
    { findPortal, time }: Pick<PageDeps, 'findPortal' | 'time'>,
    show: (page: OpenPage, request: PageRequest<Query, Params>, locale: Locale) => Promise<Reply>,
  ) =>
  async (request: PageRequest<Query, Params>): Promise<Reply> => {
    const locale = localeFor(request.headers);
    const page = await findPortal(addressOf(request));
    if (!page) return reply(goneHtml(locale), locale, 404);
    return time.within(page.portal.livemode, () => show(page, request, locale));
  };

const show = async (
  deps: Pick<PageDeps, 'getPortalContent'>,
  address: PortalAddress,
  page: OpenPage,
  { locale, done, below = null }: Pick<PortalPage, 'locale' | 'done'> & { readonly below?: number | null },
  status = 200,
): Promise<Reply> => {
  const content = await deps.getPortalContent(page, below);
  const html = portalHtml({ ...content, path: pathOf(address), locale, done });
  return reply(html, locale, status, content.merchant.accentStyle);
};

/** The payer's page, and receipts. */
export const portalPageRoutes: Routes<PageDeps> = (deps) => [
  route({
    ...PAGE,
    method: 'get',
    operationId: 'showPortal',
    path: '/portal/{id}/{secret}',
    summary: "Read a payer's page",
    query: pageQuery,
    responses: HTML,
    handle: withPage<PageQuery, unknown>(deps, async (page, request, locale) => {
      const address = addressOf(request);
      const { done, before: below = null } = request.query;
      const told = done ? ({ outcome: done } as const) : null;
      const settled = await deps.settlePendingCard(page, request.context);
      const fresh = (settled && (await deps.findPortal(address))) ?? page;
      return show(deps, address, fresh, { locale, done: settled ?? told, below });
    }),
  }),
  route({
    ...PAGE,
    method: 'get',
    operationId: 'showReceipt',
    path: '/portal/{id}/{secret}/receipts/{number}',
    summary: 'Read a receipt',
    responses: HTML,
    handle: withPage(deps, async (page, request, locale) => {
      const receipt = await receiptOf(deps, page, request, locale);
      if (receipt === null) return reply(goneHtml(locale), locale, 404);
      return reply(receipt.html, locale, 200, receipt.accentStyle);
    }),
  }),
];

/**
 * The forms of the page. They work without scripts, because each answers with the page or redirects to it.
 */
export const portalFormRoutes: Routes<PageDeps> = (deps) => {
  const end = (action: 'cancel' | 'keep'): Route =>
    route({
      ...PAGE,
      method: 'post',
      operationId: action === 'cancel' ? 'cancelAsPayer' : 'keepAsPayer',
      path: `/portal/{id}/{secret}/${action}`,
      summary: action === 'cancel' ? 'End the subscription' : 'Keep the subscription',
      otherBodyTypes: FORM,
      responses: { 303: { description: 'Back to the page.' } },
      handle: withPage(deps, async (page, request) => {
        const isDone = await deps.endSubscription({ page, action }, request.context);
        const done = action === 'cancel' ? 'cancelled' : 'kept';
        return backTo(addressOf(request), isDone ? done : null);
      }),
    });
  return [
    route({
      ...PAGE,
      method: 'post',
      operationId: 'changeCardAsPayer',
      path: '/portal/{id}/{secret}/card',
      summary: 'Use another card',
      otherBodyTypes: FORM,
      responses: { ...HTML, 303: { description: 'Back to the page.' } },
      handle: withPage(deps, async (page, request, locale) => {
        const address = addressOf(request);
        const done = await changed(deps, page, address, request);
        if (done.outcome === 'changed') return backTo(address, 'changed');
        if (done.outcome === 'pending') return backTo(address, null);
        const fresh = (await deps.findPortal(address)) ?? page;
        return show(deps, address, fresh, { locale, done }, done.outcome === 'later' ? 503 : 422);
      }),
    }),
    end('cancel'),
    end('keep'),
  ];
};

const backTo = (address: PortalAddress, done: (typeof DONE)[number] | null): Reply => ({
  status: 303,
  headers: { Location: `${pathOf(address)}${done ? `?done=${done}` : ''}`, ...NOT_STORED },
});

const changed = async (
  deps: Pick<PageDeps, 'changeCard' | 'publicUrl'>,
  page: OpenPage,
  address: PortalAddress,
  request: { readonly rawBody: Buffer; readonly clientAddress: string; readonly context: CommandContext },
): Promise<CardChanged> => {
  const form = readCardForm(request.rawBody);
  if ('faults' in form) return { outcome: 'faults', fields: form.faults };
  const returnUrl = portalUrl(deps.publicUrl(), page.portal, address.secret);
  const { card } = form;
  const done = await deps.changeCard(
    { page, card, address: request.clientAddress, returnUrl },
    request.context,
  );
  return done.outcome === 'faults' ? { ...done, fields: fieldsOf(done.fields) } : done;
};

/** The receipt of the cycle that the request names; null where it was not paid. */
const receiptOf = async (
  deps: Pick<PageDeps, 'getPortalContent' | 'findCharge'>,
  page: OpenPage,
  request: PageRequest<unknown, { readonly number: string }>,
  locale: Locale,
): Promise<{ readonly html: string; readonly accentStyle: string } | null> => {
  const { number } = request.params;
  if (!/^[1-9]\d{0,5}$/.test(number)) return null;
  const {
    paid: cycles,
    subscription,
    plan,
    merchant,
  } = await deps.getPortalContent(page, Number(number) + 1);
  const paid = cycles.find(({ cycle }) => cycle.number === Number(number));
  const charge = paid && (await deps.findCharge(paid.chargeId));
  if (!paid || !charge) return null;
  const path = pathOf(addressOf(request));
  const html = receiptHtml({ locale, path, subscription, plan, merchant, paid, charge });
  return { html, accentStyle: merchant.accentStyle };
};
