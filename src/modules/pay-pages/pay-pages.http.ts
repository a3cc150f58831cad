import { Readable } from 'node:stream';
import Joi from 'joi';
import type { MerchantId } from '../../kernel/ids.ts';
import { type Reply, type Route, route } from '../../platform/http/route.ts';
import { qrImage } from '../providers/pix/qr-image.ts';
import { PAGE_POLICY, payPageHtml, payUrlOf } from './pay-page.ts';
import type { FindPayable, PlayPayer } from './play-payer.ts';

const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': PAGE_POLICY,
  // The address is all that it takes to pay.
  'Referrer-Policy': 'no-referrer',
};

/** Pages for payers, where `payUrl` and `paymentUrl` lead (specification 2.3), in the test environment. */
export const payPageRoutes = (deps: {
  readonly findPayable: FindPayable;
  readonly playPayer: PlayPayer;
  readonly findMerchantName: (id: MerchantId) => Promise<string>;
}): readonly Route[] => {
  const page = { tag: 'Pages', page: true, access: null } as const;
  const played = { 303: { description: 'Back to the page.' } };
  const action = (name: 'pay' | 'fail'): Route =>
    route({
      ...page,
      method: 'post',
      path: `/pay/{id}/{token}/${name}`,
      summary: name === 'pay' ? 'Pay' : 'Let the payment fail',
      // What a form without fields sends.
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
      path: '/pay/{id}/{token}',
      summary: 'What to pay',
      responses: { 200: { description: 'The page.', otherTypes: ['text/html'] } },
      async handle({ params }): Promise<Reply> {
        const { id = '', token = '' } = params;
        const charge = await deps.findPayable(id, token);
        const html = payPageHtml({
          charge,
          merchantName: await deps.findMerchantName(charge.merchantId),
          token,
          qrCode: charge.paymentMethod.type === 'qrcode' ? await qrImage(payUrlOf(charge) ?? '') : null,
        });
        return { status: 200, headers: HEADERS, stream: Readable.from([html]) };
      },
    }),
    action('pay'),
    action('fail'),
  ];
};
