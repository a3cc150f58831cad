import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Clock } from '../../kernel/clock.ts';
import { GatewayError, invalidInput } from '../../kernel/errors.ts';
import { tenantOf } from '../../kernel/tenant.ts';
import type { EnvironmentTime } from '../../platform/environment-time.ts';
import { chosenLocale } from '../../platform/http/html-page.ts';
import { type Reply, type Routes, route } from '../../platform/http/route.ts';
import type { FindById } from '../../platform/write-store/read-resource.ts';
import type { CardTesting } from '../card-tokens/write/card-testing.ts';
import type { LinkPlaces, PaymentLink } from '../checkout/write/payment-link.ts';
import { amountOutOfRange, linkExhausted, linkNotActive } from '../checkout/write/refusals.ts';
import type { FindLinkByToken } from '../checkout/write/sessions.store.ts';
import type { StartSession } from '../checkout/write/start-session.ts';
import type { FindShop } from '../checkout-settings/read/find-shop.ts';
import type { Plan } from '../subscriptions/write/plan.ts';
import { readLinkForm } from './link-form.ts';
import { linkHtml, linkVersionOf } from './link-page.ts';
import { takenOf } from './page-content.ts';
import {
  FORM,
  HTML,
  onPage,
  PAGE,
  type PageRequest,
  prefersJson,
  QUERY,
  reply,
  replyIfChanged,
  SEE_PAGE,
  seeOther,
} from './page-routes.ts';

type Deps = {
  findLinkByToken: FindLinkByToken;
  findLinkPlaces: FindById<LinkPlaces>;
  findShop: FindShop;
  findPlan: FindById<Plan>;
  startSession: StartSession;
  cardTesting: CardTesting;
  linkStarts: LinkStarts;
  clock: Clock;
  time: EnvironmentTime;
};

/** Counts the sessions that an address opens by links. */
type LinkStarts = Pick<RateLimiterAbstract, 'penalty'>;

/** More sessions in a minute are not opened for one address. */
export const STARTS_OF_ADDRESS = { points: 30, duration: 60 };

const pageOf = async (deps: Deps, link: PaymentLink, request: PageRequest) => {
  const [merchant, plan, places] = await Promise.all([
    deps.findShop(link.merchantId),
    link.planId ? deps.findPlan(link.planId, tenantOf(link)) : null,
    deps.findLinkPlaces(link.id, tenantOf(link)),
  ]);
  const locale = chosenLocale(request.query.lang, request.headers);
  const isChosen = request.query.lang !== undefined;
  return { link, merchant, plan, taken: takenOf(link, places, deps.clock()), locale, isChosen };
};

const lookOf = ({ locale, merchant: { accentStyle } }: Awaited<ReturnType<typeof pageOf>>) => ({
  locale,
  accentStyle,
});

/** The page of a payment link, from which a payer comes to a checkout session of his own. */
export const linkPageRoutes: Routes<Deps> = (deps) => [
  route({
    ...PAGE,
    method: 'get',
    operationId: 'showPaymentLink',
    path: '/link/{token}',
    summary: 'Read the page of a payment link',
    query: QUERY,
    responses: { 200: HTML, 304: { description: 'The page is as the request knows it.' } },
    handle: onPage(deps, deps.findLinkByToken, async (link, request) => {
      const shown = await pageOf(deps, link, request);
      const html = () => linkHtml({ ...shown, told: null });
      return replyIfChanged(request, { ...lookOf(shown), version: linkVersionOf(shown), html });
    }),
  }),
  route({
    ...PAGE,
    method: 'post',
    operationId: 'startPaymentLink',
    path: '/link/{token}/start',
    summary: 'Begin to pay a payment link',
    query: QUERY,
    otherBodyTypes: FORM,
    responses: { 200: HTML, ...SEE_PAGE },
    refusals: [linkNotActive, linkExhausted, amountOutOfRange],
    handle: onPage(deps, deps.findLinkByToken, (link, request) => start(deps, link, request)),
  }),
];

const start = async (deps: Deps, link: PaymentLink, request: PageRequest): Promise<Reply> => {
  const form = readLinkForm(request.rawBody, link);
  const show = async (status: number, isTooOften = false): Promise<Reply> => {
    const shown = await pageOf(deps, link, request);
    const faults = 'faults' in form ? form.faults : [];
    return reply(
      linkHtml({ ...shown, told: { typed: form.typed, faults, isTooOften } }),
      lookOf(shown),
      status,
    );
  };
  if ('faults' in form) {
    if (!prefersJson(request)) return show(422);
    if (form.isOutOfRange) throw amountOutOfRange();
    throw invalidInput(form.faults.map((path) => ({ path, message: `${path} is missing or wrong` })));
  }
  const started = await deps.linkStarts.penalty(deps.cardTesting.originOf(request.clientAddress));
  if (started.consumedPoints > STARTS_OF_ADDRESS.points) return show(429, true);
  try {
    const session = await deps.startSession({ link, ...form.filled }, request.context);
    return seeOther(`/checkout/${session.token}`, request);
  } catch (error) {
    // It was paid, paused or ended meanwhile, which the page shows.
    if (error instanceof GatewayError && error.statusCode < 500 && !prefersJson(request))
      return seeOther(`/link/${link.token}`, request);
    throw error;
  }
};
