import { Readable } from 'node:stream';
import { GatewayError } from '../../kernel/errors.ts';
import { asMerchant } from '../../kernel/principal.ts';
import { chosenLocale, pageReply } from '../../platform/http/html-page.ts';
import { type Reply, type Routes, route } from '../../platform/http/route.ts';
import { resourceId } from '../../platform/http/schemas.ts';
import { object, string } from '../../platform/http/typed.ts';
import { LOCALES } from '../checkout/write/checkout-session.ts';
import type { Principals } from '../identity/principals.ts';
import { CARD_ORIGINS, originsOf } from '../merchants/write/setting.ts';
import type { FindSetting } from '../merchants/write/settings.store.ts';
import { fieldsHtml, fieldsPolicy } from './fields-page.ts';
import { PORTICO_1_0_0 } from './versions/portico-1.0.0.ts';
import { PORTICO_1_1_0 } from './versions/portico-1.1.0.ts';

/** Every version that was ever released, oldest first, because a shop names the version that it has tested. */
const VERSIONS: readonly (readonly [version: string, script: string])[] = [
  ['1.0.0', PORTICO_1_0_0],
  ['1.1.0', PORTICO_1_1_0],
];

const PAGE = { tag: 'Pages', page: true, access: null } as const;
const YEAR_SECONDS = 31_536_000;

/** Whether the text is the origin of a page, in the form in which browsers name it. */
const isOrigin = (text: string): boolean => {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text;
};

const fieldsQuery = object({
  key: string()
    .pattern(/^pk_(live|test)_[\w-]{1,100}$/, { name: 'a public key' })
    .required(),
  parent: string()
    .max(255)
    .custom((text: string, helpers) =>
      isOrigin(text) ? text : helpers.message({ custom: '{{#label}} must be the origin of a page' }),
    )
    .required(),
  lang: string().valid(...LOCALES),
  only: string().valid('cvv'),
  paymentMethodId: resourceId('pm'),
}).and('only', 'paymentMethodId');

/** Routes for card fields that a shop shows within its own page, which cannot read them. */
export const cardFieldsRoutes: Routes<{ principals: Principals; findSetting: FindSetting }> = (deps) => [
  ...VERSIONS.map(([version, script]) =>
    route({
      ...PAGE,
      method: 'get',
      operationId: `loadScript${version.replaceAll('.', '_')}`,
      path: `/js/portico-${version}.js`,
      summary: 'Load the script for shops',
      responses: { 200: { description: 'The script.', otherTypes: ['text/javascript'] } },
      handle: async (): Promise<Reply> => ({
        status: 200,
        headers: {
          'Content-Type': 'text/javascript; charset=utf-8',
          'Cache-Control': `public, max-age=${YEAR_SECONDS}, immutable`,
          'Access-Control-Allow-Origin': '*',
          'Cross-Origin-Resource-Policy': 'cross-origin',
        },
        stream: Readable.from([script]),
      }),
    }),
  ),
  route({
    ...PAGE,
    method: 'get',
    operationId: 'loadNewestScript',
    path: '/js/portico.js',
    summary: 'Load the newest script for shops',
    responses: { 302: { description: 'The newest version.' } },
    handle: async (): Promise<Reply> => ({
      status: 302,
      headers: { Location: `/js/portico-${VERSIONS.at(-1)?.[0]}.js`, 'Access-Control-Allow-Origin': '*' },
    }),
  }),
  route({
    ...PAGE,
    method: 'get',
    operationId: 'showCardFields',
    path: '/card-fields',
    summary: 'Show the fields of a card',
    query: fieldsQuery,
    responses: { 200: { description: 'The page.', otherTypes: ['text/html'] } },
    errors: [401],
    async handle({ query: { key, parent, lang, paymentMethodId = null }, headers }): Promise<Reply> {
      const { merchantId, livemode } = asMerchant(await deps.principals.ofApiKey(key));
      // With test keys a shop may be tried out from any page.
      const allowed = livemode ? originsOf(await deps.findSetting(merchantId, CARD_ORIGINS)) : ['*'];
      if (!allowed.includes('*') && !allowed.includes(parent))
        throw new GatewayError(403, 'The page of this origin may not show card fields of the merchant');
      const locale = chosenLocale(lang, headers);
      const html = fieldsHtml({ locale, publicKey: key, parent, paymentMethodId });
      return pageReply(html, {
        policy: fieldsPolicy(allowed),
        locale,
        headers: { 'Cache-Control': 'no-store', 'Cross-Origin-Resource-Policy': 'cross-origin' },
      });
    },
  }),
];
