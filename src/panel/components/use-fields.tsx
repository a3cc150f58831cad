import { type ReactElement, useState } from 'react';
import { Field } from './field.tsx';

type FieldProps = Partial<Parameters<typeof Field>[0]>;

/** Texts of a form by name, and the field of each. */
export const useFields = <Values extends Readonly<Record<string, string>>>(initial: Values) => {
  const [values, setValues] = useState(initial);
  const set = (name: keyof Values & string, value: string): void =>
    setValues((before) => ({ ...before, [name]: value }));
  const field = (
    name: keyof Values & string,
    label: string,
    error: unknown,
    more: FieldProps = {},
  ): ReactElement => (
    <Field
      label={label}
      name={name}
      value={values[name] ?? ''}
      onText={(value) => set(name, value)}
      error={error}
      {...more}
    />
  );
  return { values, set, field };
};

/** The texts that were filled in. */
export const givenOf = (values: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
