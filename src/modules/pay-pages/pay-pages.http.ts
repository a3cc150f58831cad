import type { EnvironmentTime } from '../../platform/environment-time.ts';
import { localeFor, pageReply } from '../../platform/http/html-page.ts';
import { type Reply, type Route, type Routes, route } from '../../platform/http/route.ts';
import { object } from '../../platform/http/typed.ts';
import type { Charge } from '../charges/write/charge.ts';
import type { GetMerchant } from '../merchants/read/get-merchant.ts';
import { qrImage } from '../providers/pix/qr-image.ts';
import { payPageHtml, payUrlOf, returnPageHtml, versionOf } from './pay-page.ts';
import { PAGE_POLICY } from './pay-page-assets.ts';
import type { FindPayable, PlayPayer } from './play-payer.ts';

/** The payer scans the address of the page itself, or the code of a Pix. */
const imageOf = async (charge: Charge): Promise<string | null> => {
  if (charge.instructions?.type === 'pix') return qrImage(charge.instructions.copyPaste);
  return charge.paymentMethod.type === 'qrcode' ? qrImage(payUrlOf(charge) ?? '') : null;
};

/** Pages for payers, where `payUrl` and `paymentUrl` lead: in the test environment, and of each Pix. */
export const payPageRoutes: Routes<{
  findPayable: FindPayable;
  playPayer: PlayPayer;
  getMerchant: GetMerchant;
  time: EnvironmentTime;
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
      otherBodyTypes: { 'application/x-www-form-urlencoded': object({}) },
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
        const now = await deps.time.now(charge.livemode);
        const tag = { ETag: versionOf(charge, locale, now) };
        if (headers['if-none-match'] === tag.ETag)
          return { status: 304, headers: { ...tag, Vary: 'Accept-Language' } };
        const html = payPageHtml({
          charge,
          merchant: await deps.getMerchant(charge.merchantId),
          token,
          qrCode: await imageOf(charge),
          locale,
          now,
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
