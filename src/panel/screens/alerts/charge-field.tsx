import { useDeferredValue, useState } from 'react';
import { call } from '../../api.ts';
import type { About } from '../../components/field.tsx';
import { type Found, Picker } from '../../components/picker.tsx';
import { formatMoney } from '../../format.ts';
import { useRead } from '../../use-read.ts';
import { t, tStatus } from '../../words.ts';

const CHARGE_ID = /^chg_[0-9a-f]{32}$/;
export const isChargeId = (text: string): boolean => CHARGE_ID.test(text);

const MOST = 8;

/** Charges that the search finds by what is typed: a payer, a reference, the last four digits. */
const useFound = (typed: string | null): readonly Found[] => {
  const q = useDeferredValue(typed?.trim() ?? '');
  const isWanted = q.length > 1;
  const { data } = useRead(call('search', { query: { q } }), { isWanted });
  if (typed === null || !isWanted) return [];
  return (data?.data ?? [])
    .filter(({ type }) => type === 'charge')
    .slice(0, MOST)
    .map(({ id, title, status, amount, currency }) => ({
      id,
      title,
      note: [amount !== null && currency ? formatMoney(amount, currency) : '', tStatus(status)]
        .filter(Boolean)
        .join(' · '),
    }));
};

/** Takes a charge by whatever the one who announces a chargeback names, or by its id. */
export const ChargeField = ({ value, onText, ...about }: About & { readonly required?: boolean }) => {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <Picker
      {...about}
      value={typed ?? value}
      placeholder={t('Payer, reference, last four digits, or chg_…')}
      found={useFound(typed)}
      onText={(text) => {
        onText(text.trim());
        setTyped(isChargeId(text.trim()) ? null : text);
      }}
      onChoose={({ id }) => {
        setTyped(null);
        onText(id);
      }}
      onDismiss={() => setTyped(null)}
    />
  );
};
