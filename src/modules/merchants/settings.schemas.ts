import Joi from 'joi';
import { httpUrl, resourceId, text, timestamps } from '../../platform/http/schemas.ts';
import { arrayOf, boolean, number, object, string } from '../../platform/http/typed.ts';

export const SETTINGS_TAG = 'Settings (administration)';

/** Contents of the settings that merchants may change themselves as well. */
export const cardOrigins = () =>
  arrayOf(
    string()
      .max(255)
      .pattern(/^https:\/\/[a-z0-9.-]+(:\d{1,5})?$/, { name: 'an origin over https' })
      .description('Such as `https://shop.example.com`.'),
  )
    .max(20)
    .unique()
    .description(
      'Origins of the pages that may show card fields with live keys; any page may show them with test keys.',
    );
export const portalCancel = () =>
  boolean().description(
    'Whether payers may end a subscription, at the end of its period, on the page that `openSubscriptionPortal` opens.',
  );
export const subscriptionHour = () =>
  number()
    .integer()
    .min(0)
    .max(23)
    .description(
      "Hour of the merchant's day at which cycles of new subscriptions fall due; 9 without the setting.",
    );
export const checkoutName = () =>
  text(60).description('Name by which payers know the shop; without it, pages show the legal name.');
export const checkoutAccent = () =>
  string()
    .pattern(/^#[0-9a-f]{6}$/i, { name: 'a colour' })
    .description(
      'Colour of buttons and links on pages for payers, such as `#7c3a16`. Any colour is possible, because its shades and the colour of text on it are chosen so that the text can be read.',
    );
export const checkoutWebsite = () =>
  httpUrl()
    .pattern(/^https:/, { name: 'an address over https' })
    .description(
      'Address of the shop, such as `https://shop.example.com`. A page on which nobody can pay any more leads there if its session has no address of its own.',
    );

export const settingAnswer = object({
  id: resourceId('set').required(),
  merchantId: resourceId('mer').allow(null).required().description('Null for a gateway-wide default.'),
  name: string()
    .required()
    .description(
      'Name of the setting. Each merchant has at most one setting of a name, and so has the gateway.',
    ),
  content: Joi.any().required().description('The latest content, as it was sent.'),
  ...timestamps,
}).label('Setting');
