import Joi from 'joi';
import type { Clock } from '../../kernel/clock.ts';
import { localeFor, pageReply } from '../../platform/http/html-page.ts';
import { type Reply, type Route, type Routes, route } from '../../platform/http/route.ts';
import type { GetMerchant } from '../merchants/read/get-merchant.ts';
import { qrImage } from '../providers/pix/qr-image.ts';
import { payPageHtml, payUrlOf, returnPageHtml, versionOf } from './pay-page.ts';
import { PAGE_POLICY } from './pay-page-assets.ts';
import type { FindPayable, PlayPayer } from './play-payer.ts';

/** Pages for payers, where `payUrl` and `paymentUrl` lead, in the test environment. */
export const payPageRoutes: Routes<{
  findPayable: FindPayable;
  playPayer: PlayPayer;
  getMerchant: GetMerchant;
  clock: Clock;
}> = (deps) => {
  const page = { tag: 'Pages', page: true, access: null } as const;
  const played = { 303: { description: 'Back to the page.' } };
  const action = (name: 'pay' | 'fail'): Route =>
    route({
      ...page,
      method: 'post',
      operationId: `${name}AsPayer`,
      path: `/pay/{id}/{token}/${name}`,
      summary: name === 'pay' ? 'Pay' : 'Let the payment fail',
      // Body of a form without fields.
      otherBodyTypes: { 'application/x-www-form-urlencoded': Joi.object({}) },
      responses: played,
      async handle({ params, context }) {
        const { id = '', token = '' } = params;
        await deps.playPayer({ id, token, pays: name === 'pay' }, context);
        return { status: 303, headers: { Location: `../${encodeURIComponent(token)}` } };
      },
    });
  return [
    route({
      ...page,
      method: 'get',
      operationId: 'showPayPage',
      path: '/pay/{id}/{token}',
      summary: 'Read a payable page',
      responses: {
        200: { description: 'The page.', otherTypes: ['text/html'] },
        304: { description: 'The page is as the request knows it.' },
      },
      async handle({ params, headers }): Promise<Reply> {
        const { id = '', token = '' } = params;
        const charge = await deps.findPayable(id, token);
        const locale = localeFor(headers);
        const tag = { ETag: versionOf(charge, locale) };
        if (headers['if-none-match'] === tag.ETag)
          return { status: 304, headers: { ...tag, Vary: 'Accept-Language' } };
        const html = payPageHtml({
          charge,
          merchant: await deps.getMerchant(charge.merchantId),
          token,
          qrCode: charge.paymentMethod.type === 'qrcode' ? await qrImage(payUrlOf(charge) ?? '') : null,
          locale,
          now: deps.clock(),
        });
        return pageReply(html, { policy: PAGE_POLICY, locale, headers: tag });
      },
    }),
    route({
      ...page,
      method: 'get',
      operationId: 'showReturnPage',
      path: '/pay/return',
      summary: "Come back from a bank's page",
      responses: { 200: { description: 'The page.', otherTypes: ['text/html'] } },
      async handle({ headers }): Promise<Reply> {
        const locale = localeFor(headers);
        return pageReply(returnPageHtml(locale), { policy: PAGE_POLICY, locale });
      },
    }),
    action('pay'),
    action('fail'),
  ];
};
