import { createContext, type InputHTMLAttributes, type ReactNode, useContext, useId } from 'react';
import { apiError } from '../api.ts';
import { t } from '../words.ts';

/** The last refusal of a form: each field shows the fault that names it. */
export const FormRefusal = createContext<unknown>(null);

/** Finds the message of the API about a field of the body, by its path. Items of a list are typed into one field. */
const useFault = (path: string): string | null =>
  apiError(useContext(FormRefusal))?.errors?.find(
    (fault) => fault.path.replace(/(\.\d+)+$/, '') === path || fault.path === path,
  )?.message ?? null;

/** The name is that of the member of the body. */
export type About = {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  readonly onText: (value: string) => void;
  readonly hint?: string;
};

const Fault = ({ id, fault }: { readonly id: string; readonly fault: string | null }) =>
  fault !== null && (
    <small id={id} className="fault">
      {fault}
    </small>
  );

/** A label, the field that `children` draws, and below it a hint and the API's fault. */
const Labelled = (props: {
  readonly label: string;
  readonly name: string;
  readonly hint: string | undefined;
  /** Known before the API is asked. */
  readonly fault?: string | null;
  readonly children: (attributes: {
    readonly id: string;
    readonly name: string;
    readonly 'aria-invalid': boolean;
    readonly 'aria-describedby': string | undefined;
  }) => ReactNode;
}) => {
  const { label, name, hint, children } = props;
  const id = useId();
  const refused = useFault(name);
  const fault = props.fault ?? refused;
  const notes = [hint ? `${id}-hint` : '', fault === null ? '' : `${id}-fault`].filter(Boolean).join(' ');
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, name, 'aria-invalid': fault !== null, 'aria-describedby': notes || undefined })}
      {hint && (
        <small id={`${id}-hint`} className="hint">
          {hint}
        </small>
      )}
      <Fault id={`${id}-fault`} fault={fault} />
    </div>
  );
};

export type InputProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange' | 'name'>;

/** The browser sends no form with a field that has a `fault`. */
export const Field = (props: About & InputProps & { readonly fault?: string | null }) => {
  const { label, name, value, onText, hint, fault = null, ...input } = props;
  return (
    <Labelled label={label} name={name} hint={hint} fault={fault}>
      {(attributes) => (
        <input
          {...input}
          {...attributes}
          ref={(element) => element?.setCustomValidity(fault ?? '')}
          value={value}
          onChange={({ target }) => onText(target.value)}
        />
      )}
    </Labelled>
  );
};

export const TextArea = ({ label, name, value, onText, hint, ...rest }: About & { required?: boolean }) => (
  <Labelled label={label} name={name} hint={hint}>
    {(attributes) => (
      <textarea
        {...rest}
        {...attributes}
        rows={3}
        value={value}
        onChange={({ target }) => onText(target.value)}
      />
    )}
  </Labelled>
);

/** A file from the reader's disk. */
export const FileField = (props: {
  readonly label: string;
  readonly name: string;
  /** Endings that are offered, such as `.pdf,.png`. */
  readonly accept: string;
  readonly onFile: (file: File) => void;
}) => {
  const { label, name, accept, onFile } = props;
  return (
    <Labelled label={label} name={name} hint={undefined}>
      {(attributes) => (
        <input
          {...attributes}
          type="file"
          accept={accept}
          required
          onChange={({ target }) => {
            const [chosen] = target.files ?? [];
            if (chosen) onFile(chosen);
          }}
        />
      )}
    </Labelled>
  );
};

export type Option = { readonly value: string; readonly label: string };

export const Select = (props: About & { readonly options: readonly Option[]; readonly none?: string }) => {
  const { label, name, value, onText, options, none, hint } = props;
  return (
    <Labelled label={label} name={name} hint={hint}>
      {(attributes) => (
        <select {...attributes} value={value} onChange={({ target }) => onText(target.value)}>
          {none !== undefined && <option value="">{none === '' ? t('Any') : none}</option>}
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
};

/** Some of several values. */
export const Checks = (props: {
  readonly label: string;
  readonly name: string;
  readonly options: readonly Option[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}) => {
  const { label, name, options, chosen, onChange } = props;
  const id = useId();
  const fault = useFault(name);
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
      <Fault id={`${id}-fault`} fault={fault} />
    </fieldset>
  );
};
