import { useDeferredValue, useState } from 'react';
import { call } from '../api.ts';
import { useMe } from '../session.tsx';
import { useRead } from '../use-read.ts';
import { t } from '../words.ts';
import type { About } from './field.tsx';
import { isMerchantId, readerOf, useMerchantName } from './merchant.tsx';
import { Picker } from './picker.tsx';

type Merchant = { readonly id: string; readonly legalName: string };

const MOST = 8;

/** Merchants whose names have all the words that are typed. */
const useFound = (typed: string | null): readonly Merchant[] => {
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
  const name = useMerchantName(value);
  const found = useFound(typed).map(({ id, legalName }) => ({ id, title: legalName, note: id }));
  const said = [name === null || isShort ? '' : value, hint].filter(Boolean).join(' · ');
  return (
    <Picker
      {...about}
      {...(said ? { hint: said } : {})}
      value={typed ?? name ?? value}
      placeholder={t('Name, or mer_…')}
      found={found}
      onText={(text) => {
        onText(text.trim());
        setTyped(isMerchantId(text.trim()) ? null : text);
      }}
      onChoose={({ id }) => {
        setTyped(null);
        onChoose(id);
      }}
      onDismiss={() => setTyped(null)}
    />
  );
};
