import type { IncomingMessage } from 'node:http';
import accepts from 'accepts';
import type { EnvironmentTime } from '../../platform/environment-time.ts';
import { alsoStyled, chosenLocale, type Locale, pageReply } from '../../platform/http/html-page.ts';
import type { Reply, RouteRequest } from '../../platform/http/route.ts';
import { anyObject, object, string } from '../../platform/http/typed.ts';
import { LOCALES } from '../checkout/write/checkout-session.ts';
import { CHECKOUT_POLICY, goneHtml } from './page-frame.ts';

type PageQuery = { readonly lang?: (typeof LOCALES)[number] };
/** A request for a page of a session or a link. */
export type PageRequest = RouteRequest<unknown, PageQuery, { readonly token: string }>;

export const PAGE = { tag: 'Pages', page: true, access: null } as const;
export const QUERY = object({ lang: string().valid(...LOCALES) });
export const FORM = { 'application/x-www-form-urlencoded': anyObject() };
export const HTML = { description: 'The page.', otherTypes: ['text/html'] };
export const SEE_PAGE = { 303: { description: 'Back to the page.' } };
const NOT_STORED = { 'Cache-Control': 'no-store' };

/** How a page is shown: its language, and the style of its shop, which may be empty. */
type Look = { readonly locale: Locale; readonly accentStyle: string };

export const reply = (
  html: string,
  { locale, accentStyle }: Look,
  status = 200,
  headers: Record<string, string> = {},
): Reply =>
  pageReply(html, {
    policy: alsoStyled(CHECKOUT_POLICY, accentStyle),
    locale,
    status,
    headers: { ...NOT_STORED, ...headers },
  });

/** Whether whoever sends a form is a program that reads refusals as JSON; a browser gets the page. */
export const prefersJson = ({ headers }: Pick<PageRequest, 'headers'>): boolean =>
  accepts({ headers } as IncomingMessage).type(['html', 'json']) === 'json';

/** The path of a page, in the language that the payer has chosen there. */
const inLanguage = (path: string, { query }: PageRequest): string =>
  query.lang ? `${path}?lang=${query.lang}` : path;

export const seeOther = (path: string, request: PageRequest): Reply => ({
  status: 303,
  headers: { Location: inLanguage(path, request), ...NOT_STORED },
});

/**
 * Finds what the secret in the address of a request opens, and answers by the time of its environment, or says that it
 * opens nothing.
 */
export const onPage =
  <T extends { readonly livemode: boolean }>(
    { time }: { readonly time: EnvironmentTime },
    find: (token: string) => Promise<T | null>,
    answer: (found: T, request: PageRequest) => Promise<Reply>,
  ) =>
  async (request: PageRequest): Promise<Reply> => {
    const found = await find(request.params.token);
    if (found) return time.within(found.livemode, () => answer(found, request));
    const locale = chosenLocale(request.query.lang, request.headers);
    return reply(goneHtml(locale), { locale, accentStyle: '' }, 404);
  };

/** The page, or that it is as the request knows it. */
export const replyIfChanged = (
  { headers }: PageRequest,
  page: Look & { readonly version: string; html(): string },
): Reply => {
  const tag = { ETag: page.version };
  return headers['if-none-match'] === page.version
    ? { status: 304, headers: { ...tag, Vary: 'Accept-Language' } }
    : reply(page.html(), page, 200, tag);
};
