import { type KeyboardEvent, useDeferredValue, useId, useState } from 'react';
import { call } from '../api.ts';
import { useMe } from '../session.tsx';
import { useRead } from '../use-read.ts';
import { t } from '../words.ts';
import { type About, Field } from './field.tsx';
import { isMerchantId, readerOf, useMerchantName } from './merchant.tsx';

type Found = { readonly id: string; readonly legalName: string };

const MOST = 8;

/** Merchants whose names have all the words that are typed. */
const useFound = (typed: string | null): readonly Found[] => {
  const reader = readerOf(useMe());
  const legalName = useDeferredValue(typed?.trim() ?? '');
  const query = { legalName, size: MOST, orderBy: 'legalName' };
  const isWanted = legalName.length > 1 && !isMerchantId(legalName);
  const ofAll = useRead(call('listMerchants', { query }), { isWanted: isWanted && reader === 'operator' });
  const ofMaster = useRead(call('listSubmerchants', { query }), {
    isWanted: isWanted && reader === 'master',
  });
  if (typed === null || !isWanted) return [];
  return (reader === 'operator' ? ofAll.data?.data : ofMaster.data?.data) ?? [];
};

/** Takes a merchant by the beginning of a word of its name, or by its id. */
export const MerchantField = (
  props: About & {
    readonly required?: boolean;
    /** Called instead of `onText` with the id of a merchant that was chosen from the list. */
    readonly onChoose?: (id: string) => void;
    /** Whether there is no room for the id below the name. */
    readonly isShort?: boolean;
  },
) => {
  const { value, onText, onChoose = onText, isShort = false, hint, ...about } = props;
  const [typed, setTyped] = useState<string | null>(null);
  const [active, setActive] = useState(0);
  const name = useMerchantName(value);
  const found = useFound(typed);
  const list = useId();
  const isOpen = found.length > 0;
  const choose = (one: Found): void => {
    setTyped(null);
    onChoose(one.id);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!isOpen) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const chosen = found[active];
    if (step !== undefined) setActive((active + step + found.length) % found.length);
    else if (event.key === 'Enter' && chosen) choose(chosen);
    else if (event.key === 'Escape') setTyped(null);
    else return;
    // The key is for the list: a form is not sent by it, and a dialog stays open.
    event.preventDefault();
    event.stopPropagation();
  };
  const said = [name === null || isShort ? '' : value, hint].filter(Boolean).join(' · ');
  return (
    <div className="picker">
      <Field
        {...about}
        {...(said ? { hint: said } : {})}
        value={typed ?? name ?? value}
        onText={(text) => {
          setActive(0);
          onText(text.trim());
          setTyped(isMerchantId(text.trim()) ? null : text);
        }}
        onKeyDown={onKeyDown}
        placeholder={t('Name, or mer_…')}
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
                choose(one);
              }}
            >
              {one.legalName} <small className="id">{one.id}</small>
            </div>
          ))}
        </div>
      )}
    </div>
  );
};
