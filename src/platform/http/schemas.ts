import Joi from 'joi';
import { timestamp } from '../../kernel/clock.ts';
import { isTimeZone } from '../../kernel/local-time.ts';
import { CURRENCIES } from '../../kernel/money.ts';
import { isVisible, tidy } from '../../kernel/text.ts';
import { readWebAddress } from '../../kernel/web-address.ts';
import { isNetwork } from '../networks.ts';

/** Pieces of request and response schemas that every module uses. */

/** `\p{Cc}`, in words that every reader of the OpenAPI document's patterns knows. */
const CONTROL = '\\u0000-\\u001f\\u007f-\\u009f';
const NO_ADDRESS = `\\s@<>()",;:\\\\\\[\\]${CONTROL}`;
const TEXT = new RegExp(`^[^${CONTROL}]*$`);
const ADDRESS = new RegExp(`^[^${NO_ADDRESS}]+@[^${NO_ADDRESS}.]+(\\.[^${NO_ADDRESS}.]+)+$`);

/** Counts as JSON Schema does: a character beyond the first plane is one, where joi would count two. */
const counting = Joi.extend((joi) => ({
  type: 'string',
  base: joi.string(),
  rules: {
    characters: {
      method(min: number, max: number) {
        return this.$_addRule({ name: 'characters', args: { min, max } });
      },
      args: ['min', 'max'],
      validate(value: string, helpers: Joi.CustomHelpers, { min, max }: Readonly<Record<string, number>>) {
        const length = [...value].length;
        if (length > Number(max)) return helpers.error('string.max', { limit: max });
        return length < Number(min) ? helpers.error('string.min', { limit: min }) : value;
      },
    },
    tidy: {
      method(mayBeBlank: boolean) {
        return this.$_addRule({ name: 'tidy', args: { mayBeBlank } });
      },
      args: ['mayBeBlank'],
      validate(value: string, helpers: Joi.CustomHelpers, { mayBeBlank }: { readonly mayBeBlank?: boolean }) {
        if (isVisible(value)) return tidy(value);
        return mayBeBlank
          ? ''
          : helpers.message({ custom: '{{#label}} must have a character that can be seen' });
      },
    },
  },
}));

/** Any string of at most (and at least) so many characters. */
export const characters = (max: number, min = 0): Joi.StringSchema => counting.string().characters(min, max);

/** Text that comes out in NFC and without blanks around it, and whose length is counted like that. */
export const tidied = (max: number, min = 0): Joi.StringSchema =>
  counting.string().tidy(false).characters(min, max);

const NO_CONTROL = { name: 'text without control characters' };

/** A line of text without control characters that has something to be seen. */
export const text = (max: number): Joi.StringSchema => tidied(max).pattern(TEXT, NO_CONTROL);

/** Lines that may be empty: those of nothing but blanks and invisible signs become so. */
export const linesOrNone = (max: number): Joi.StringSchema =>
  counting.string().tidy(true).characters(0, max).allow('');

/** One such line. */
export const textOrNone = (max: number): Joi.StringSchema => linesOrNone(max).pattern(TEXT, NO_CONTROL);

export const email = (): Joi.StringSchema =>
  tidied(254).pattern(ADDRESS, { name: 'e-mail address' }).description('At most 254 characters.');

/**
 * A web address that something can be posted to, as the URL standard writes it; where it leads is checked when it is
 * used.
 */
export const httpUrl = (): Joi.StringSchema =>
  tidied(2048)
    .custom((value: string, helpers) => {
      const address = readWebAddress(value);
      return 'href' in address
        ? address.href
        : helpers.message({ custom: `{{#label}} ${address.fault}, such as https://shop.example/hooks` });
    })
    .meta({
      pattern: '^[Hh][Tt][Tt][Pp][Ss]?://(\\[[^\\]]*\\]|[^/?#@:\\\\]{1,255})(:\\d*)?([/?#].*)?$',
    });

/** IPv4 or IPv6 networks in CIDR notation, or single addresses. */
export const networks = (): Joi.ArraySchema =>
  Joi.array()
    .items(
      Joi.string()
        .max(43)
        .custom((value: string, helpers) =>
          isNetwork(value)
            ? value
            : helpers.message({
                custom: '{{#label}} must be an IP address or a network such as 192.0.2.0/24',
              }),
        )
        .meta({ pattern: '^[0-9A-Fa-f:.]{2,39}(/\\d{1,3})?$' }),
    )
    .max(50)
    .unique();

/** An amount in an answer. */
export const money = (what: string): Joi.NumberSchema =>
  Joi.number().description(`${what} Decimal, in the currency beside it.`);

/** The currency of an answer. */
export const currency = (): Joi.StringSchema => Joi.string().length(3).description('ISO 4217 code.');

/** A currency that the gateway knows. */
export const knownCurrency = (): Joi.StringSchema =>
  Joi.string()
    .valid(...CURRENCIES)
    .label('Currency')
    .messages({ 'any.only': '{{#label}} must be an ISO 4217 code in upper case, such as BRL' })
    .description('ISO 4217 code.')
    .example('BRL');

/** A time zone by its name. */
export const timeZone = Joi.string()
  .custom((value: string, helpers) =>
    isTimeZone(value)
      ? value
      : helpers.message({ custom: '{{#label}} must be a name of the IANA time zone database' }),
  )
  .meta({ format: 'time-zone' })
  .description('Name of the IANA time zone database, for example `America/Sao_Paulo`.');

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** Whether a text can be the `X-Request-Id` of a request. */
export const isRequestId = (text: string): boolean => REQUEST_ID.test(text);

/** The environment of a record. */
export const livemode = (): Joi.BooleanSchema =>
  Joi.boolean().description(
    'True in production, false in the sandbox, as for the key or token that made it.',
  );

/** Standard Base64 with its padding. */
export const BASE64 = '^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$';

export const dateTime = (): Joi.StringSchema =>
  Joi.string()
    .pattern(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
    .meta({ format: 'date-time' })
    .description('ISO 8601, UTC.');

/** A moment, as answers write it from then on: ISO 8601 date-time with a time zone. */
export const instant = (): Joi.StringSchema =>
  Joi.string()
    .max(35)
    .custom((value: string, helpers) => {
      const hasTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/.test(value);
      const at = new Date(hasTime ? value : Number.NaN);
      // Days that no month has would otherwise be carried over into the next one.
      const isDay =
        hasTime && new Date(`${value.slice(0, 10)}T00:00:00Z`).getUTCDate() === Number(value.slice(8, 10));
      return isDay && !Number.isNaN(at.getTime())
        ? timestamp(at)
        : helpers.message({ custom: '{{#label}} must be an ISO 8601 date-time with a time zone' });
    })
    .meta({ format: 'date-time' });

export const resourceId = (prefix: string): Joi.StringSchema =>
  Joi.string()
    .pattern(new RegExp(`^${prefix}_[0-9a-f]{32}$`))
    .description(`Identifier with prefix ${prefix}_.`);

/** A number of things in an answer. */
export const count = (what: string): Joi.NumberSchema => Joi.number().integer().required().description(what);

/** A page of `item`s. */
/** One of some words; required. */
export const oneOf = (values: readonly string[]): Joi.StringSchema =>
  Joi.string()
    .valid(...values)
    .required();

/** A whole list, without pages. */
export const listOf = (item: Joi.Schema, description: string): Joi.ObjectSchema =>
  Joi.object({ data: Joi.array().items(item).required().description(description) });

export const pageOf = (item: Joi.Schema): Joi.ObjectSchema =>
  Joi.object({
    data: Joi.array().items(item).required().description('In the order asked for; empty past the last page.'),
    page: Joi.number().integer().required().description('Current page.'),
    pages: Joi.number().integer().required().description('Total pages.'),
    total: Joi.number().integer().required().description('Total items over all pages.'),
    size: Joi.number().integer().required().description('Items per page.'),
  });

const errorFacts = (codes: readonly string[]) => ({
  code: Joi.string()
    .valid(...codes)
    .description('Name of the rule that refused the request, for programs.')
    .label('ErrorCode'),
  permission: Joi.string().description('Permission that the caller lacks, with code `PERMISSION_MISSING`.'),
  chargeId: Joi.string().description('Charge that has the reference, with code `REFERENCE_ALREADY_USED`.'),
  errors: Joi.array()
    .description('Each fault of a request with the place where it is.')
    .items(
      Joi.object({
        path: Joi.string()
          .allow('')
          .required()
          .description('Where the fault is, such as `customer.email`; empty for the body as a whole.'),
        message: Joi.string().required().description('Fault at that place, for people; may change.'),
      }),
    ),
});

/** Every error, with the codes that there are. */
export const errorBodyOf = (codes: readonly string[]): Joi.ObjectSchema =>
  Joi.object({
    statusCode: Joi.number().integer().required().description('The HTTP status.'),
    message: Joi.string().required().description('For people; may change.'),
    ...errorFacts(codes),
  }).label('Error');

/** A postal address, null without one. */
export const postalAddress = (): Joi.ObjectSchema =>
  Joi.object({
    country: text(64).required().description('Code or name.'),
    line1: text(255).description('Street and number.'),
    line2: text(255).description('Further part of the address, such as a floor.'),
    city: text(128).description('Town or municipality.'),
    state: text(64).description('Code or name.'),
    postalCode: text(32).description('In the notation of the country.'),
  })
    .label('PostalAddress')
    .allow(null)
    .description('Postal address; null without one.');

/** Free-form data of a merchant. */
/** A member that is always there, as null where there is nothing to tell. */
export const nullable = <T extends Joi.Schema>(schema: T): T => schema.allow(null).required() as T;

export const metadata = (): Joi.ObjectSchema => Joi.object().unknown().label('Metadata');

/** When a record was made and changed last. */
export const timestamps = { createdAt: dateTime().required(), updatedAt: dateTime().required() };

/** The schema of an error as problem details (RFC 9457). */
export const problemOf = (codes: readonly string[]): Joi.ObjectSchema =>
  Joi.object({
    type: Joi.string().valid('about:blank').required().description('No page exists; `code` names the rule.'),
    title: Joi.string().required().description('The HTTP status in words.'),
    status: Joi.number().integer().required().description('The HTTP status.'),
    detail: Joi.string().required().description('For people; may change.'),
    ...errorFacts(codes),
  }).label('Problem');
