import type Joi from 'joi';
import { compactId } from '../../kernel/national-id.ts';
import { holdsCardNumber } from '../../platform/http/card-numbers.ts';

/** Whether people typed a good text; one with a card number is not, for some type that into the wrong field. */
export const isText = (schema: Joi.Schema, value: string): boolean =>
  schema.validate(value).error === undefined && !holdsCardNumber(value);

/**
 * A document of one of these types as people type it. A CPF has 11 characters and a CNPJ 14, so that nobody in Brazil
 * has to say which it is.
 */
export const readDocument = (
  types: readonly string[],
  typed: { readonly number: string; readonly type: string },
): { readonly type: string; readonly id: string; readonly fault: 'documentType' | 'document' | null } => {
  const id = compactId(typed.number);
  const type = types.includes('cpf') ? (id.length === 14 ? 'cnpj' : 'cpf') : typed.type;
  if (!types.includes(type)) return { type, id, fault: 'documentType' };
  return { type, id, fault: /^[0-9A-Z]{7,14}$/.test(id) ? null : 'document' };
};

/** The texts that a page may show again: none with a card number. */
export const shownAgain = <Field extends string>(
  fields: readonly Field[],
  get: (field: Field) => string,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    fields
      .map((field) => [field, get(field)] as const)
      .filter(([, value]) => value !== '' && !holdsCardNumber(value)),
  );
