import { asMerchant } from '../../kernel/principal.ts';
import { type Routes, route } from '../../platform/http/route.ts';
import { BASE64 } from '../../platform/http/schemas.ts';
import { object, string } from '../../platform/http/typed.ts';
import {
  cardOrigins,
  checkoutAccent,
  checkoutName,
  checkoutWebsite,
  portalCancel,
  subscriptionHour,
} from '../merchants/settings.schemas.ts';
import type { GetCheckoutSettings } from './read/get-checkout-settings.ts';
import { LOGO_TYPES, logoOf, MAX_LOGO_BYTES } from './write/logo.ts';
import type { UpdateCheckoutSettings } from './write/update-checkout-settings.ts';

const PATH = '/v1/checkout-settings';
const TAG = 'Checkout';
const access = { merchant: 'checkout.manage' } as const;

const settingsRequest = object({
  name: checkoutName().allow(null),
  accent: checkoutAccent().allow(null),
  website: checkoutWebsite().allow(null),
  cardOrigins: cardOrigins().allow(null),
  portalCancel: portalCancel().allow(null),
  subscriptionHour: subscriptionHour().allow(null),
})
  .min(1)
  .example({
    name: 'Helmets by Ana',
    accent: '#7c3a16',
    website: 'https://shop.example.com',
    cardOrigins: ['https://shop.example.com'],
  })
  .label('CheckoutSettingsRequest');

const settingsAnswer = object({
  name: checkoutName().allow(null).required(),
  accent: checkoutAccent().allow(null).required(),
  website: checkoutWebsite().allow(null).required(),
  logo: string()
    .allow(null)
    .required()
    .description('The logo as a data URL (RFC 2397); without one pages show the first letter of the name.'),
  cardOrigins: cardOrigins().required(),
  portalCancel: portalCancel().required(),
  subscriptionHour: subscriptionHour().required(),
}).label('CheckoutSettings');

/** A picture of one pixel. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const logoRequest = object({
  content: string()
    .max(Math.ceil(MAX_LOGO_BYTES / 3) * 4)
    .pattern(new RegExp(BASE64), { name: 'Base64' })
    .required()
    .description('The picture in Base64.'),
})
  .example({ content: PIXEL })
  .label('CheckoutLogoRequest');

const responses = {
  200: { description: 'The settings that count for the merchant.', schema: settingsAnswer },
};

/** Settings of a merchant that its payers notice. */
export const checkoutSettingsRoutes: Routes<{
  getCheckoutSettings: GetCheckoutSettings;
  updateCheckoutSettings: UpdateCheckoutSettings;
}> = (deps) => {
  const answer = async (merchantId: Parameters<GetCheckoutSettings>[0]) => ({
    status: 200,
    body: await deps.getCheckoutSettings(merchantId),
  });
  return [
    route({
      method: 'get',
      operationId: 'getCheckoutSettings',
      path: PATH,
      tag: TAG,
      summary: "Read one's checkout settings",
      description:
        'The look of the pages for payers, and how they treat them. A member without a value of its own shows the gateway-wide default.',
      access,
      responses,
      handle: ({ principal }) => answer(asMerchant(principal).merchantId),
    }),
    route({
      method: 'patch',
      operationId: 'updateCheckoutSettings',
      path: PATH,
      tag: TAG,
      summary: "Change one's checkout settings",
      description:
        'Members that are not given stay as they are, and null returns to the default. They hold for both environments and for every page that is opened from then on.',
      access,
      body: settingsRequest,
      responses,
      async handle({ principal, body, context }) {
        const { merchantId } = asMerchant(principal);
        await deps.updateCheckoutSettings({ merchantId, change: body }, context);
        return answer(merchantId);
      },
    }),
    route({
      method: 'put',
      operationId: 'putCheckoutLogo',
      path: `${PATH}/logo`,
      tag: TAG,
      summary: "Set one's logo",
      description:
        'A PNG or JPEG of at most 15,000 bytes and 1,024 pixels in each direction, as the body, or in Base64 within JSON. Pages show it 40 pixels high at most, beside the name.',
      access,
      body: logoRequest,
      notSearched: ['content'],
      otherBodyTypes: Object.fromEntries(
        LOGO_TYPES.map((type) => [type, object({}).description('The bytes of the picture.')]),
      ),
      responses,
      async handle({ principal, body, rawBody, context }) {
        const { merchantId } = asMerchant(principal);
        const logo = logoOf(body ? Buffer.from(body.content, 'base64') : rawBody);
        await deps.updateCheckoutSettings({ merchantId, change: { logo } }, context);
        return answer(merchantId);
      },
    }),
    route({
      method: 'delete',
      operationId: 'removeCheckoutLogo',
      path: `${PATH}/logo`,
      tag: TAG,
      summary: "Remove one's logo",
      access,
      responses: { 204: { description: 'Pages show the first letter of the name.' } },
      async handle({ principal, context }) {
        const { merchantId } = asMerchant(principal);
        await deps.updateCheckoutSettings({ merchantId, change: { logo: null } }, context);
        return { status: 204 };
      },
    }),
  ];
};
