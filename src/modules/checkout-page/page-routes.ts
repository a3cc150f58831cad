import Joi from 'joi';
import { type Locale, localeFor, localeOf, pageReply } from '../../platform/http/html-page.ts';
import type { Reply, RouteRequest } from '../../platform/http/route.ts';
import { type CheckoutSession, LOCALES } from '../checkout/write/checkout-session.ts';
import { CHECKOUT_POLICY } from './page-frame.ts';

type PageQuery = { readonly lang?: (typeof LOCALES)[number] };
/** A request for a page of a session or a link. */
export type PageRequest = RouteRequest<unknown, PageQuery>;

export const PAGE = { tag: 'Pages', page: true, access: null } as const;
export const QUERY = Joi.object({ lang: Joi.string().valid(...LOCALES) });
export const FORM = { 'application/x-www-form-urlencoded': Joi.object({}) };
export const HTML = { description: 'The page.', otherTypes: ['text/html'] };
export const SEE_PAGE = { 303: { description: 'Back to the page.' } };
export const NOT_STORED = { 'Cache-Control': 'no-store' };

export const reply = (
  html: string,
  locale: Locale,
  status = 200,
  headers: Record<string, string> = {},
): Reply =>
  pageReply(html, { policy: CHECKOUT_POLICY, locale, status, headers: { ...NOT_STORED, ...headers } });

/** The language that the payer has chosen at the page, then that of the session, then that of the browser. */
export const localeIn = ({ query, headers }: PageRequest, session: CheckoutSession | null): Locale => {
  const named = query.lang ?? session?.locale;
  if (!named) return localeFor(headers);
  // The region that the browser asks for still counts for numbers and dates.
  const asked = localeFor(headers);
  return asked.startsWith(named) ? asked : localeOf([named === 'pt' ? 'pt-BR' : named]);
};
