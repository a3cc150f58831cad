/** Kinds of national identifiers by which payers of vouchers, bank transfers and QR codes are known. */
export const IDENTIFY_TYPES = ['dni', 'cuit', 'cuil', 'cdi'] as const;

/** Further ones, where the currency is BRL. */
export const BRAZILIAN_IDENTIFY_TYPES = ['cpf', 'cnpj'] as const;

export const identifyTypesOf = (currency: string): readonly string[] =>
  currency === 'BRL' ? [...IDENTIFY_TYPES, ...BRAZILIAN_IDENTIFY_TYPES] : IDENTIFY_TYPES;
