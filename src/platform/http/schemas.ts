import Joi from 'joi';
import { timestamp } from '../../kernel/clock.ts';
import type { Id, IdPrefix } from '../../kernel/ids.ts';
import { isTimeZone } from '../../kernel/local-time.ts';
import { CURRENCIES } from '../../kernel/money.ts';
import { isVisible, tidy } from '../../kernel/text.ts';
import { readWebAddress } from '../../kernel/web-address.ts';
import { isNetwork } from '../networks.ts';
import {
  anyObject,
  arrayOf,
  boolean,
  type Nullable,
  number,
  object,
  string,
  type Typed,
  typed,
} from './typed.ts';

/** Pieces of request and response schemas that every module uses. */

/** `\p{Cc}` in a notation that every reader of the OpenAPI document's patterns supports. */
const CONTROL = '\\u0000-\\u001f\\u007f-\\u009f';
const NO_ADDRESS = `\\s@<>()",;:\\\\\\[\\]${CONTROL}`;
const TEXT = new RegExp(`^[^${CONTROL}]*$`);
const ADDRESS = new RegExp(`^[^${NO_ADDRESS}]+@[^${NO_ADDRESS}.]+(\\.[^${NO_ADDRESS}.]+)+$`);

/** Counts characters as JSON Schema does: one beyond the first plane counts once, where joi would count it twice. */
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

/** Any string of at most (and at least) this many characters. */
export const characters = <T extends string = string>(max: number, min = 0): Typed<T, Joi.StringSchema> =>
  typed(counting.string().characters(min, max));

/** Text that is converted to NFC and trimmed; its length is counted after that. */
export const tidied = (max: number, min = 0): Typed<string, Joi.StringSchema> =>
  typed(counting.string().tidy(false).characters(min, max));

const NO_CONTROL = { name: 'text without control characters' };

/** A line of text without control characters and with at least one visible character. */
export const text = <T extends string = string>(max: number): Typed<T, Joi.StringSchema> =>
  typed(tidied(max).pattern(TEXT, NO_CONTROL));

/** Lines of text, possibly empty; blanks and invisible characters alone become an empty text. */
export const linesOrNone = (max: number): Typed<string, Joi.StringSchema> =>
  typed(counting.string().tidy(true).characters(0, max).allow(''));

/** A line of text, possibly empty. */
export const textOrNone = (max: number): Typed<string, Joi.StringSchema> =>
  linesOrNone(max).pattern(TEXT, NO_CONTROL);

export const email = () =>
  tidied(254).pattern(ADDRESS, { name: 'e-mail address' }).description('At most 254 characters.');

/** A web address that can be posted to, as the URL standard writes it. Where it leads is checked when it is used. */
export const httpUrl = () =>
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
export const networks = () =>
  arrayOf(
    string()
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
export const money = (what: string) =>
  number().description(`${what} Decimal, in the currency that stands beside it.`);

/** The currency of an answer. */
export const currency = () => string().length(3).description('ISO 4217 code.');

/** A currency that the gateway knows. */
export const knownCurrency = () =>
  string()
    .valid(...CURRENCIES)
    .label('Currency')
    .messages({ 'any.only': '{{#label}} must be an ISO 4217 code in upper case, such as BRL' })
    .description('ISO 4217 code.')
    .example('BRL');

/** A time zone by its name. */
export const timeZone = string()
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
export const livemode = () =>
  boolean().description(
    'True in production, false in the sandbox, as for the key or token that created the record.',
  );

/** Standard Base64 with its padding. */
export const BASE64 = '^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$';

export const dateTime = () =>
  string()
    .pattern(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
    .meta({ format: 'date-time' })
    .description('ISO 8601, UTC.');

/** A time as an ISO 8601 date-time with a time zone, which is converted to the form that answers have. */
export const instant = () =>
  string()
    .max(35)
    .custom((value: string, helpers) => {
      const hasTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/.test(value);
      const at = new Date(hasTime ? value : Number.NaN);
      // Without this check, a day that the month does not have would be carried over into the next month.
      const isDay =
        hasTime && new Date(`${value.slice(0, 10)}T00:00:00Z`).getUTCDate() === Number(value.slice(8, 10));
      return isDay && !Number.isNaN(at.getTime())
        ? timestamp(at)
        : helpers.message({ custom: '{{#label}} must be an ISO 8601 date-time with a time zone' });
    })
    .meta({ format: 'date-time' });

/** A day of the calendar, which exists. */
export const day = () =>
  string()
    .custom((value: string, helpers) => {
      const isDay =
        /^\d{4}-\d{2}-\d{2}$/.test(value) && new Date(`${value}T00:00:00Z`).toJSON()?.slice(0, 10) === value;
      return isDay ? value : helpers.message({ custom: '{{#label}} must be a day such as 2026-01-31' });
    })
    .meta({ format: 'date' });

export const resourceId = <P extends IdPrefix>(prefix: P) =>
  string<Id<P>>()
    .pattern(new RegExp(`^${prefix}_[0-9a-f]{32}$`))
    .description(`Identifier with prefix ${prefix}_.`);

/** A number of things in an answer. */
export const count = (what: string) => number().integer().required().description(what);

/** One of these words; required. */
export const oneOf = <const V extends string>(values: readonly V[]) =>
  string()
    .valid(...values)
    .required();

/** A complete list, without pages. */
export const listOf = (item: Joi.Schema, description: string): Joi.ObjectSchema =>
  object({ data: arrayOf(item).required().description(description) });

/** A page of `item`s. */
export const pageOf = (item: Joi.Schema): Joi.ObjectSchema =>
  object({
    data: arrayOf(item).required().description('Items in the requested order; empty after the last page.'),
    page: number().integer().required().description('Current page.'),
    pages: number().integer().required().description('Total pages.'),
    total: number().integer().required().description('Number of items on all pages.'),
    size: number().integer().required().description('Items per page.'),
  });

const errorFacts = (codes: readonly string[]) => ({
  code: string()
    .valid(...codes)
    .description('Name of the rule that refused the request, for programs.')
    .label('ErrorCode'),
  permission: string().description('Permission that the caller lacks, with code `PERMISSION_MISSING`.'),
  chargeId: string().description(
    'Charge that already has the reference, with code `REFERENCE_ALREADY_USED`.',
  ),
  errors: Joi.array()
    .description('The faults of the request, each with its place.')
    .items(
      object({
        path: string()
          .allow('')
          .required()
          .description('Where the fault is, such as `customer.email`; empty for the body as a whole.'),
        message: string()
          .required()
          .description('Description of the fault, for people; its text may change.'),
      }),
    ),
});

/** The schema of every error, with all codes. */
export const errorBodyOf = (codes: readonly string[]): Joi.ObjectSchema =>
  object({
    statusCode: number().integer().required().description('The HTTP status.'),
    message: string().required().description('Description for people; its text may change.'),
    ...errorFacts(codes),
  }).label('Error');

/** A postal address, null without one. */
export const postalAddress = () =>
  object({
    country: text(64).required().description('Code or name.'),
    line1: text(255).description('Street and number.'),
    line2: text(255).description('Further part of the address, such as a floor.'),
    city: text(128).description('Town or municipality.'),
    state: text(64).description('Code or name.'),
    postalCode: text(32).description('Postal code in the notation of the country.'),
  })
    .label('PostalAddress')
    .allow(null)
    .description('Postal address; null without one.');

/** A member that is always present; null where there is no value. */
export const nullable = <S extends Joi.Schema>(schema: S): S & Nullable =>
  schema.allow(null).required() as S & Nullable;

/** Any JSON object that a merchant attaches. */
export const metadata = () => anyObject().unknown().label('Metadata');

/** When a record was created and last changed. */
export const timestamps = { createdAt: dateTime().required(), updatedAt: dateTime().required() };

/** The schema of an error as problem details (RFC 9457). */
export const problemOf = (codes: readonly string[]): Joi.ObjectSchema =>
  object({
    type: string()
      .valid('about:blank')
      .required()
      .description('Kind of the problem: always `about:blank`, because `code` names the rule.'),
    title: string().required().description('The HTTP status in words.'),
    status: number().integer().required().description('The HTTP status.'),
    detail: string().required().description('Description for people; its text may change.'),
    ...errorFacts(codes),
  }).label('Problem');
