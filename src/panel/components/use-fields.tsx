import { type ReactElement, useState } from 'react';
import { t } from '../words.ts';
import { Checks, Field, type InputProps, type Option, Select, TextArea } from './field.tsx';
import { MerchantField } from './merchant-field.tsx';
import { MoneyField } from './money-field.tsx';

type Hint = { readonly hint?: string };

/** Texts of a form by name, and the fields for them: a line, several lines, a choice. */
export const useFields = <Values extends Readonly<Record<string, string>>>(initial: Values) => {
  const [values, setValues] = useState(initial);
  const set = (name: keyof Values & string, value: string): void =>
    setValues((before) => ({ ...before, [name]: value }));
  const about = (name: keyof Values & string, label: string) => ({
    label,
    name,
    value: values[name] ?? '',
    onText: (value: string) => set(name, value),
  });
  type Name = keyof Values & string;
  return {
    values,
    set,
    field: (name: Name, label: string, more: InputProps & Hint = {}): ReactElement => (
      <Field {...about(name, label)} {...more} />
    ),
    /** An amount in a currency, which `amountOf` reads for the body. */
    money: (
      name: Name,
      label: string,
      currency: string,
      more: Omit<InputProps, 'type'> & Hint = {},
    ): ReactElement => <MoneyField {...about(name, label)} currency={currency} {...more} />,
    /** A merchant, chosen by its name. */
    merchant: (
      name: Name,
      label = t('Merchant'),
      more: Hint & { readonly required?: boolean } = {},
    ): ReactElement => <MerchantField {...about(name, label)} {...more} />,
    /** Capital letters, as currencies have them. */
    currency: (name: Name): ReactElement => (
      <Field
        {...about(name, t('Currency'))}
        onText={(value) => set(name, value.toUpperCase())}
        maxLength={3}
        required
      />
    ),
    area: (name: Name, label: string, more: { readonly required?: boolean } = {}): ReactElement => (
      <TextArea {...about(name, label)} {...more} />
    ),
    select: (
      name: Name,
      label: string,
      options: readonly Option[],
      more: { readonly none?: string } = {},
    ): ReactElement => <Select {...about(name, label)} options={options} {...more} />,
  };
};

/** Some of several values, and the boxes that choose them. */
export const useChecks = (
  name: string,
  label: string,
  options: readonly Option[],
  former: readonly string[] = [],
) => {
  const [chosen, onChange] = useState(former);
  return [chosen, <Checks key={name} {...{ name, label, options, chosen, onChange }} />] as const;
};

/** The texts that were filled in. */
export const givenOf = (values: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
