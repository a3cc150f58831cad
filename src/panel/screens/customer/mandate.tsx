import { Link } from 'wouter';
import type { Schemas } from '../../../client/client.ts';
import { call } from '../../api.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Money } from '../../components/values.tsx';
import { formatFullDay } from '../../format.ts';
import { useRead } from '../../use-read.ts';
import { t } from '../../words.ts';
import { Price } from '../subscription/price.tsx';

type StoredMethod = Schemas['StoredPaymentMethod'];
type Mandate = NonNullable<StoredMethod['mandate']>;

const Amount = ({ mandate }: { readonly mandate: Mandate }) => {
  const { amount, minimumAmount, interval, intervalCount } = mandate;
  const price = amount ?? minimumAmount;
  if (price === null) return t('variable amount');
  return (
    <>
      {amount === null && `${t('at least')} `}
      <Price of={{ amount: price, currency: 'BRL', interval, intervalCount }} />
    </>
  );
};

/** A mandate of Pix Automático: what the payer agreed to, or the code by which that is still to be done. */
export const MandateTerms = ({
  mandate,
  copyPaste,
}: {
  readonly mandate: Mandate;
  readonly copyPaste: string | null;
}) => (
  <>
    Pix Automático · {mandate.contract} · <Amount mandate={mandate} />
    {' · '}
    {t('from {day}', { day: formatFullDay(mandate.startDate) })}
    {mandate.endDate && ` ${t('until {day}', { day: formatFullDay(mandate.endDate) })}`}{' '}
    {copyPaste && <CopyButton text={copyPaste} label={t('Copy the code for the payer')} />}
  </>
);

/** Charges that the bank of the payer is going to pay by a mandate. */
export const PlannedCharges = ({
  customerId,
  mandateId,
}: {
  readonly customerId: string;
  readonly mandateId: string;
}) => (
  <Loaded of={useRead(call('listCharges', { query: { customerId, status: 'pending' } }))} lines={1}>
    {({ data }) => {
      const planned = data.flatMap(({ id, amount, currency, paymentMethod: method }) =>
        method.type === 'pix' && method.id === mandateId && method.plannedOn
          ? [{ id, amount, currency, on: method.plannedOn }]
          : [],
      );
      if (planned.length === 0) return <span>{t('nothing planned')}</span>;
      return (
        <ul>
          {planned.map(({ id, amount, currency, on }) => (
            <li key={id}>
              <Link href={`/charges/${id}`}>{formatFullDay(on)}</Link>{' '}
              <Money amount={amount} currency={currency} />
            </li>
          ))}
        </ul>
      );
    }}
  </Loaded>
);
