import { type KeyboardEvent, useId, useState } from 'react';
import { type About, Field } from './field.tsx';

/** Something that can be chosen by the words that are typed. */
export type Found = { readonly id: string; readonly title: string; readonly note: string };

/** A field with a list of what was found for its text below it, all by the keyboard. */
export const Picker = (
  props: About & {
    readonly placeholder: string;
    readonly required?: boolean;
    readonly found: readonly Found[];
    readonly onChoose: (one: Found) => void;
    /** Called where the list is not wanted. */
    readonly onDismiss: () => void;
  },
) => {
  const { found, onChoose, onDismiss, onText, ...about } = props;
  const [active, setActive] = useState(0);
  const list = useId();
  const isOpen = found.length > 0;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!isOpen) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const chosen = found[active];
    if (step !== undefined) setActive((active + step + found.length) % found.length);
    else if (event.key === 'Enter' && chosen) onChoose(chosen);
    else if (event.key === 'Escape') onDismiss();
    else return;
    // The key is for the list: a form is not sent by it, and a dialog stays open.
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className="picker">
      <Field
        {...about}
        onText={(text) => {
          setActive(0);
          onText(text);
        }}
        onKeyDown={onKeyDown}
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={isOpen ? list : undefined}
        aria-activedescendant={isOpen ? `${list}-${active}` : undefined}
        aria-autocomplete="list"
        autoComplete="off"
      />
      {isOpen && (
        <div className="options" id={list} role="listbox" aria-label={about.label}>
          {found.map((one, index) => (
            <div
              key={one.id}
              id={`${list}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              onPointerDown={(event) => {
                event.preventDefault();
                onChoose(one);
              }}
            >
              {one.title} <small className="id">{one.note}</small>
            </div>
          ))}
        </div>
      )}
    </div>
  );
};
