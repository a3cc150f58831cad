import Joi from 'joi';
import { characters, text } from '../../platform/http/schemas.ts';
import { isTimeZone, parseCompanyTaxId } from './write/merchant.ts';

/** The parameter of a path below a merchant. */
export const merchantParams = { id: 'Id of the merchant, `mer_…`.' };

export const legalName = text(200).trim().description('Registered name.');

export const timeZone = Joi.string()
  .custom((value: string, helpers) =>
    isTimeZone(value)
      ? value
      : helpers.message({ custom: '{{#label}} must be a name of the IANA time zone database' }),
  )
  .meta({ format: 'time-zone' })
  .description('Name of the IANA time zone database, for example `America/Sao_Paulo`.');

export const companyTaxId = characters(24)
  .allow(null)
  .custom(
    (value: string, helpers) =>
      parseCompanyTaxId(value) ??
      helpers.message({
        custom: '{{#label}} must be a CNPJ (12 letters or digits and two check digits) or a CPF (11 digits)',
      }),
  )
  .meta({ pattern: '^[./ -]*(([0-9A-Za-z][./ -]*){12}(\\d[./ -]*){2}|(\\d[./ -]*){11})$' })
  .description(
    'CNPJ (12 letters or digits and two check digits, such as `12.ABC.345/01DE-35`) or CPF (11 digits); punctuation is allowed and removed, letters become upper case.',
  );

/** A company tax id in an answer. */
export const taxId = Joi.string()
  .allow(null)
  .description(
    'CNPJ (12 letters or digits and two check digits) or CPF (11 digits), without punctuation; null without one.',
  );
