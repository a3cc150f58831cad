import { type ReactNode, useId, useState } from 'react';
import { useSearchParams } from 'wouter';
import type { Query } from '../api.ts';
import { formatFullDay, formatNumber, shownZone } from '../format.ts';
import { type Me, seesSeveral } from '../session.tsx';
import { t } from '../words.ts';
import { Button } from './button.tsx';
import { Field, type Option, Select } from './field.tsx';
import { MerchantName } from './merchant.tsx';
import { MerchantField } from './merchant-field.tsx';
import { amountOf, MoneyField } from './money-field.tsx';

type Named = {
  readonly name: string;
  readonly label: string;
  /** Counts where nothing is asked for. */
  readonly fallback?: string;
};
type Choice = Named & {
  readonly kind: 'select';
  readonly options: readonly Option[];
  /** Name of the option that asks for nothing, where there is no fallback. */
  readonly none?: string;
};
export type Filter = Choice | (Named & { readonly kind: 'text' | 'date' | 'amount' | 'merchant' });

/** The days of a member that is a time. */
export const between = (name: string): readonly Filter[] => [
  { kind: 'date', name: `${name}[gte]`, label: t('From') },
  { kind: 'date', name: `${name}[lte]`, label: t('To') },
];
export const textFilter = (name: string, label: string): Filter => ({ kind: 'text', name, label });
export const choiceFilter = (
  name: string,
  label: string,
  options: readonly Option[],
  more: Pick<Choice, 'fallback' | 'none'> = {},
): Filter => ({ kind: 'select', name, label, options, ...more });

/** A merchant, chosen by its name. */
export const merchantFilter = (): Filter => ({ kind: 'merchant', name: 'merchantId', label: t('Merchant') });
/** The filter by a merchant for users who see records of several; none for others. */
export const merchantFilters = (me: Me): readonly Filter[] => (seesSeveral(me) ? [merchantFilter()] : []);

type Asked = Readonly<Record<string, string>>;

/** Filters of the address, and the way to another one. It starts at the first page unless it names one. */
export const useAddress = (filters: readonly Filter[]) => {
  const [params, setParams] = useSearchParams();
  const names = filters.map(({ name }) => name);
  const asked: Asked = Object.fromEntries([...params].filter(([name]) => names.includes(name)));
  const change = (changes: Query): void =>
    setParams((before) => {
      const next = new URLSearchParams(before);
      next.delete('page');
      for (const [name, value] of Object.entries(changes))
        if (value === undefined || value === '') next.delete(name);
        else next.set(name, String(value));
      return next;
    });
  return { params, asked, change };
};

/**
 * The value of a filter for the address: an amount as the API takes it, or what was asked for while nobody can read it.
 */
const askedOf = ({ kind, name }: Filter, values: Asked, asked: Asked): string | undefined => {
  const typed = values[name]?.trim();
  if (kind !== 'amount' || !typed || typed === asked[name]) return typed;
  const amount = amountOf(typed);
  return amount === null ? asked[name] : String(amount);
};

/** A form of filters: a choice counts at once, and what is typed when it is applied. */
export const Filters = (props: {
  readonly filters: readonly Filter[];
  readonly asked: Asked;
  readonly onApply: (query: Query) => void;
  /** Quick ways to some of them, most of which a narrow window folds with the form. */
  readonly children?: ReactNode;
}) => {
  const { filters, asked, onApply, children } = props;
  const [values, setValues] = useState(asked);
  // Back and forward change the address, and with it what the form shows. A form anew would lose the focus.
  const address = JSON.stringify(asked);
  const [shown, setShown] = useState(address);
  if (shown !== address) {
    setShown(address);
    setValues(asked);
  }
  const isAny = Object.keys(asked).length > 0;
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const apply = (next: Asked): void =>
    onApply(Object.fromEntries(filters.map((filter) => [filter.name, askedOf(filter, next, asked)])));
  return (
    <>
      <div className="asked">
        <button type="button" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
          {t('Filters')} {isAny && <small className="badge">{formatNumber(Object.keys(asked).length)}</small>}
        </button>
        <Asked filters={filters} asked={asked} />
      </div>
      {children}
      <form
        id={id}
        className={isOpen ? 'filters open' : 'filters'}
        aria-label={t('Filters')}
        onSubmit={(event) => {
          event.preventDefault();
          apply(values);
          setOpen(false);
        }}
      >
        {filters.map((filter) => {
          const { name, label, fallback = '' } = filter;
          const about = {
            name,
            label,
            value: values[name] ?? fallback,
            onText: (value: string) => setValues({ ...values, [name]: value }),
          };
          if (filter.kind === 'select')
            return (
              <Select
                key={name}
                {...about}
                options={filter.options}
                {...(fallback === '' ? { none: filter.none ?? '' } : {})}
                onText={(value) => apply({ ...values, [name]: value })}
              />
            );
          if (filter.kind === 'merchant')
            return (
              <MerchantField
                key={name}
                {...about}
                isShort
                onChoose={(id) => apply({ ...values, [name]: id })}
              />
            );
          if (filter.kind === 'amount') return <MoneyField key={name} {...about} currency="" isSilent />;
          return <Field key={name} {...about} type={filter.kind} />;
        })}
        {filters.some(({ kind }) => kind === 'date') && (
          <p className="zone">{t('Days of {zone}', { zone: shownZone() })}</p>
        )}
        <div className="buttons">
          <button type="submit">{t('Apply')}</button>
          {isAny && (
            <Button
              label={t('Clear')}
              className="quiet"
              onClick={() => onApply(Object.fromEntries(filters.map(({ name }) => [name, undefined])))}
            />
          )}
        </div>
      </form>
    </>
  );
};

/** The filters of a list in words: on paper, and in a narrow window, whose form is folded. */
const Asked = (props: { readonly filters: readonly Filter[]; readonly asked: Asked }) => {
  const { filters, asked } = props;
  const set = filters.flatMap((filter) => {
    const value = asked[filter.name] ?? filter.fallback ?? '';
    return value === '' ? [] : [{ filter, value }];
  });
  const hasDays = set.some(({ filter }) => filter.kind === 'date');
  return (
    <p className="said">
      {set.map(({ filter, value }, index) => (
        <span key={filter.name}>
          {index > 0 && ' · '}
          {filter.label}: <ValueOf filter={filter} value={value} />
        </span>
      ))}
      {hasDays && <span> · {t('Days of {zone}', { zone: shownZone() })}</span>}
    </p>
  );
};

const DAY = /^\d{4}-\d{2}-\d{2}$/;

const ValueOf = ({ filter, value }: { readonly filter: Filter; readonly value: string }) => {
  if (filter.kind === 'merchant') return <MerchantName id={value} />;
  if (filter.kind === 'date' && DAY.test(value)) return formatFullDay(value);
  if (filter.kind !== 'select') return value;
  return filter.options.find((option) => option.value === value)?.label ?? value;
};
