import Joi from 'joi';
import { resourceId, text, timestamps } from '../../platform/http/schemas.ts';

export const SETTINGS_TAG = 'Settings (administration)';

/** Contents of settings that merchants may change themselves, too. */
export const cardOrigins = (): Joi.ArraySchema =>
  Joi.array()
    .items(
      Joi.string()
        .max(255)
        .pattern(/^https:\/\/[a-z0-9.-]+(:\d{1,5})?$/, { name: 'an origin over https' })
        .description('Such as `https://shop.example.com`.'),
    )
    .max(20)
    .unique()
    .description(
      'Origins of the pages that may show card fields with live keys; with test keys any page may.',
    );
export const portalCancel = (): Joi.BooleanSchema =>
  Joi.boolean().description(
    'Whether payers may end a subscription with its period at the page that `openSubscriptionPortal` opens.',
  );
export const subscriptionHour = (): Joi.NumberSchema =>
  Joi.number()
    .integer()
    .min(0)
    .max(23)
    .description(
      "Hour of the merchant's day at which cycles of its new subscriptions fall due; 9 without the setting.",
    );
export const checkoutName = (): Joi.StringSchema =>
  text(60).description('Name that payers know the shop by; without it pages show the legal name.');
export const checkoutAccent = (): Joi.StringSchema =>
  Joi.string()
    .pattern(/^#[0-9a-f]{6}$/i, { name: 'a colour' })
    .description(
      'Colour of buttons and links on pages for payers, such as `#7c3a16`. Text on it is black or white and shades are moved until they can be read, so every colour will do.',
    );

export const settingAnswer = Joi.object({
  id: resourceId('set').required(),
  merchantId: resourceId('mer').allow(null).required().description('Null for a gateway-wide default.'),
  name: Joi.string().required().description('One setting of a name for each merchant, and one gateway-wide.'),
  content: Joi.any().required().description('Latest content, as it was sent.'),
  ...timestamps,
}).label('Setting');
