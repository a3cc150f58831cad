import { type InputHTMLAttributes, useId } from 'react';
import { ApiError } from '../api.ts';
import { t } from '../words.ts';

/** Finds the message of the API about a field of the body, by its path. */
export const faultOf = (error: unknown, path: string): string | null =>
  error instanceof ApiError ? (error.faults.find((fault) => fault.path === path)?.message ?? null) : null;

type About = {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  readonly onText: (value: string) => void;
  readonly hint?: string;
  /** The last answer of the API: its fault is shown beside the field that it names. */
  readonly error?: unknown;
};

const useDescription = (id: string, hint: string | undefined, fault: string | null) => {
  const shown = [hint ? `${id}-hint` : null, fault ? `${id}-fault` : null].filter((one) => one !== null);
  return {
    'aria-invalid': fault !== null,
    'aria-describedby': shown.length > 0 ? shown.join(' ') : undefined,
  };
};

const Notes = ({ id, hint, fault }: { id: string; hint: string | undefined; fault: string | null }) => (
  <>
    {hint && (
      <small id={`${id}-hint`} className="hint">
        {hint}
      </small>
    )}
    {fault && (
      <small id={`${id}-fault`} className="fault">
        {fault}
      </small>
    )}
  </>
);

type InputProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange' | 'name'>;

export const Field = ({ label, name, value, onText, hint, error, ...input }: About & InputProps) => {
  const id = useId();
  const fault = faultOf(error, name);
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        {...useDescription(id, hint, fault)}
        id={id}
        name={name}
        value={value}
        onChange={(event) => onText(event.target.value)}
      />
      <Notes id={id} hint={hint} fault={fault} />
    </div>
  );
};

export const TextArea = ({
  label,
  name,
  value,
  onText,
  hint,
  error,
  ...rest
}: About & { required?: boolean }) => {
  const id = useId();
  const fault = faultOf(error, name);
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        {...rest}
        {...useDescription(id, hint, fault)}
        id={id}
        name={name}
        rows={3}
        value={value}
        onChange={(event) => onText(event.target.value)}
      />
      <Notes id={id} hint={hint} fault={fault} />
    </div>
  );
};

export type Option = { readonly value: string; readonly label: string };

export const Select = (props: About & { readonly options: readonly Option[]; readonly none?: string }) => {
  const { label, name, value, onText, options, none, hint, error } = props;
  const id = useId();
  const fault = faultOf(error, name);
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        {...useDescription(id, hint, fault)}
        id={id}
        name={name}
        value={value}
        onChange={(event) => onText(event.target.value)}
      >
        {none !== undefined && <option value="">{none === '' ? t('Any') : none}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <Notes id={id} hint={hint} fault={fault} />
    </div>
  );
};

/** Some of several values. */
export const Checks = (props: {
  readonly label: string;
  readonly name: string;
  readonly options: readonly Option[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
  readonly error?: unknown;
}) => {
  const { label, name, options, chosen, onChange, error } = props;
  const id = useId();
  const fault = faultOf(error, name);
  return (
    <fieldset className="checks" aria-describedby={fault ? `${id}-fault` : undefined}>
      <legend>{label}</legend>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="checkbox"
            checked={chosen.includes(option.value)}
            onChange={({ target }) =>
              onChange(
                options
                  .map(({ value }) => value)
                  .filter((value) => (value === option.value ? target.checked : chosen.includes(value))),
              )
            }
          />
          {option.label}
        </label>
      ))}
      <Notes id={id} hint={undefined} fault={fault} />
    </fieldset>
  );
};
