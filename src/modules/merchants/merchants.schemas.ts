import Joi from 'joi';
import { characters, freeText } from '../../platform/http/schemas.ts';
import { isTimeZone, parseCompanyTaxId } from './write/merchant.ts';

/** The parameter of a path below a merchant. */
export const merchantParams = { id: 'Id of the merchant, `mer_…`.' };

export const legalName = freeText(200).trim().description('Registered name.');

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
      helpers.message({ custom: '{{#label}} must be a CNPJ (14 digits) or a CPF (11 digits)' }),
  )
  .meta({ pattern: '^[./ -]*(\\d[./ -]*){11}((\\d[./ -]*){3})?$' })
  .description('CNPJ (14 digits) or CPF (11 digits); punctuation is allowed and removed.');

/** A company tax id in an answer. */
export const taxId = Joi.string()
  .allow(null)
  .description('CNPJ (14 digits) or CPF (11 digits), digits only; null without one.');
