import { type Reading, readAmount } from '../amount.ts';
import { digitsOf, formatMoney, formatNumber } from '../format.ts';
import { t } from '../words.ts';
import { type About, Field, type InputProps } from './field.tsx';

/** Digits that an amount of any currency may have. */
const MOST_DIGITS = 4;

const isCode = (currency: string): boolean => /^[A-Z]{3}$/.test(currency);

/** Reads an amount in a currency, or in any where it is empty or half typed. */
const reading = (text: string, currency: string): Reading =>
  readAmount(text, isCode(currency) ? digitsOf(currency) : MOST_DIGITS);

/** The amount that a text says, for the body of a request; null where it says none, which the API refuses. */
export const amountOf = (text: string, currency = ''): number | null => {
  const read = reading(text, currency);
  return read.kind === 'amount' ? read.amount : null;
};

const shown = (amount: number, currency: string): string =>
  isCode(currency) ? formatMoney(amount, currency) : formatNumber(amount);

const faultIn = (read: Reading, text: string, currency: string): string | null => {
  switch (read.kind) {
    case 'amount':
      return null;
    case 'ambiguous': {
      const [less, more] = read.readings.map((amount) => shown(amount, currency));
      return t('{text} can mean {less} or {more}. Write it without a separator of thousands.', {
        text,
        less: less ?? '',
        more: more ?? '',
      });
    }
    case 'too exact':
      return isCode(currency)
        ? t('{currency} has fewer digits after the separator.', { currency })
        : t('An amount has four digits after the separator at most.');
    case 'none':
      return t('Write an amount such as 12.50 or 12,50.');
  }
};

/**
 * Takes an amount in either notation, and repeats what it reads in the notation of the reader. A text with two meanings
 * is refused with both.
 */
export const MoneyField = (
  props: About & Omit<InputProps, 'type'> & { readonly currency: string; readonly isSilent?: boolean },
) => {
  const { currency, isSilent = false, hint, ...about } = props;
  const text = about.value.trim();
  const read = reading(text, currency);
  const fault = text === '' ? null : faultIn(read, text, currency);
  const said =
    read.kind === 'amount' && !isSilent
      ? t('Reads as {amount}', { amount: shown(read.amount, currency) })
      : null;
  const hints = [hint, said].filter(Boolean).join(' ');
  return (
    <Field
      {...about}
      {...(hints ? { hint: hints } : {})}
      inputMode="decimal"
      autoComplete="off"
      fault={fault}
    />
  );
};
