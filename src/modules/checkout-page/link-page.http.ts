import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Clock } from '../../kernel/clock.ts';
import { GatewayError } from '../../kernel/errors.ts';
import { tenantOf } from '../../kernel/tenant.ts';
import { type Reply, type Routes, route } from '../../platform/http/route.ts';
import type { FindById } from '../../platform/write-store/read-resource.ts';
import type { CardTesting } from '../card-tokens/write/card-testing.ts';
import type { LinkPlaces, PaymentLink } from '../checkout/write/payment-link.ts';
import type { FindLinkByToken } from '../checkout/write/sessions.store.ts';
import type { StartSession } from '../checkout/write/start-session.ts';
import type { GetMerchant } from '../merchants/read/get-merchant.ts';
import { readLinkForm } from './link-form.ts';
import { linkHtml, linkVersionOf } from './link-page.ts';
import { takenOf } from './page-content.ts';
import { goneHtml } from './page-frame.ts';
import {
  FORM,
  HTML,
  localeIn,
  NOT_STORED,
  PAGE,
  type PageRequest,
  QUERY,
  reply,
  SEE_PAGE,
} from './page-routes.ts';

type Deps = {
  findLinkByToken: FindLinkByToken;
  findLinkPlaces: FindById<LinkPlaces>;
  getMerchant: GetMerchant;
  startSession: StartSession;
  cardTesting: CardTesting;
  linkStarts: LinkStarts;
  clock: Clock;
};

/** Counts the sessions that an address opens by links. */
type LinkStarts = Pick<RateLimiterAbstract, 'penalty'>;

/** More sessions in a minute are not opened for one address. */
export const STARTS_OF_ADDRESS = { points: 30, duration: 60 };

type LinkPageRoute = Parameters<typeof route<unknown, PageRequest['query']>>[0];

const withLink =
  (
    { findLinkByToken }: Pick<Deps, 'findLinkByToken'>,
    answer: (link: PaymentLink, request: PageRequest) => Promise<Reply>,
  ) =>
  async (request: PageRequest): Promise<Reply> => {
    const link = await findLinkByToken(request.params.token ?? '');
    if (link) return answer(link, request);
    const locale = localeIn(request, null);
    return reply(goneHtml(locale), locale, 404);
  };

const pageOf = async (deps: Deps, link: PaymentLink, request: PageRequest) => {
  const [merchant, places] = await Promise.all([
    deps.getMerchant(link.merchantId),
    deps.findLinkPlaces(link.id, tenantOf(link)),
  ]);
  const locale = localeIn(request, null);
  const isChosen = request.query.lang !== undefined;
  return { link, merchant, taken: takenOf(link, places, deps.clock()), locale, isChosen };
};

/** The page of a payment link, from which a payer comes to a checkout session of his own. */
export const linkPageRoutes: Routes<Deps> = (deps) => {
  const page = (
    definition: Pick<LinkPageRoute, 'method' | 'operationId' | 'path' | 'summary' | 'responses' | 'handle'>,
  ) => route<unknown, PageRequest['query']>({ ...PAGE, query: QUERY, ...definition });
  return [
    page({
      method: 'get',
      operationId: 'showPaymentLink',
      path: '/link/{token}',
      summary: 'Read the page of a payment link',
      responses: { 200: HTML, 304: { description: 'The page is as the request knows it.' } },
      handle: withLink(deps, async (link, request) => {
        const shown = await pageOf(deps, link, request);
        const ETag = linkVersionOf(shown);
        if (request.headers['if-none-match'] === ETag)
          return { status: 304, headers: { ETag, Vary: 'Accept-Language' } };
        return reply(linkHtml({ ...shown, told: null }), shown.locale, 200, { ETag });
      }),
    }),
    route<unknown, PageRequest['query']>({
      ...PAGE,
      method: 'post',
      operationId: 'startPaymentLink',
      path: '/link/{token}/start',
      summary: 'Begin to pay a payment link',
      query: QUERY,
      otherBodyTypes: FORM,
      responses: { 200: HTML, ...SEE_PAGE },
      handle: withLink(deps, (link, request) => start(deps, link, request)),
    }),
  ];
};

const start = async (deps: Deps, link: PaymentLink, request: PageRequest): Promise<Reply> => {
  const form = readLinkForm(request.rawBody, link);
  const show = async (status: number, isTooOften = false): Promise<Reply> => {
    const shown = await pageOf(deps, link, request);
    const faults = 'faults' in form ? form.faults : [];
    return reply(
      linkHtml({ ...shown, told: { typed: form.typed, faults, isTooOften } }),
      shown.locale,
      status,
    );
  };
  if ('faults' in form) return show(422);
  const started = await deps.linkStarts.penalty(deps.cardTesting.originOf(request.clientAddress));
  if (started.consumedPoints > STARTS_OF_ADDRESS.points) return show(429, true);
  const query = request.query.lang ? `?lang=${request.query.lang}` : '';
  try {
    const session = await deps.startSession({ link, ...form.filled }, request.context);
    return { status: 303, headers: { Location: `/checkout/${session.token}${query}`, ...NOT_STORED } };
  } catch (error) {
    // It was paid, paused or ended meanwhile, which the page shows.
    if (error instanceof GatewayError && error.statusCode < 500)
      return { status: 303, headers: { Location: `/link/${link.token}${query}`, ...NOT_STORED } };
    throw error;
  }
};
