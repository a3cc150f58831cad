import Joi from 'joi';

/** Pieces of request and response schemas that every module uses. */

/** A line of text without control characters. */
export const text = (max: number): Joi.StringSchema =>
  Joi.string()
    .max(max)
    .pattern(/^[^\p{Cc}]*$/u, { name: 'text without control characters' });

export const email = (): Joi.StringSchema =>
  Joi.string()
    .max(254)
    .pattern(/^[^\s@<>()",;:\\[\]\p{Cc}]+@[^\s@<>()",;:\\[\]\p{Cc}.]+(\.[^\s@<>()",;:\\[\]\p{Cc}.]+)+$/u, {
      name: 'e-mail address',
    });

export const dateTime = (): Joi.StringSchema =>
  Joi.string()
    .pattern(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
    .meta({ format: 'date-time' })
    .description('ISO 8601, UTC.');

export const resourceId = (prefix: string): Joi.StringSchema =>
  Joi.string()
    .pattern(new RegExp(`^${prefix}_[0-9a-f]{32}$`))
    .description(`Identifier with prefix ${prefix}_.`);

/** A page of `item`s (specification 2.4). */
export const pageOf = (item: Joi.Schema): Joi.ObjectSchema =>
  Joi.object({
    data: Joi.array().items(item).required(),
    page: Joi.number().integer().required().description('Current page.'),
    pages: Joi.number().integer().required().description('Total pages.'),
    total: Joi.number().integer().required().description('Total items over all pages.'),
    size: Joi.number().integer().required().description('Items per page.'),
  });

export const errorBody = Joi.object({
  statusCode: Joi.number().integer().required(),
  message: Joi.string().required(),
  code: Joi.string(),
  errors: Joi.array().items(
    Joi.object({ path: Joi.string().allow('').required(), message: Joi.string().required() }),
  ),
}).label('Error');
