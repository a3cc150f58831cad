import type { Schemas } from '../../../client/client.ts';
import { Table } from '../../components/table.tsx';
import { Money } from '../../components/values.tsx';
import { formatFullDay } from '../../format.ts';
import { t } from '../../words.ts';

/** The amounts that are due on each day of a charge with a due date, while it waits for its payer. */
export const AmountsDue = ({ charge }: { readonly charge: Schemas['Charge'] }) => {
  const { paymentDetails: details, currency, status } = charge;
  if (status !== 'pending' || details === null || !('amountsDue' in details) || !details.amountsDue)
    return null;
  return (
    <section>
      <h2>{t('Amounts due')}</h2>
      <Table
        caption={t('Amounts due')}
        heads={[t('From'), t('Until'), { number: t('Amount') }]}
        rows={details.amountsDue.map(({ from, until, amount }) => ({
          key: from,
          cells: [
            formatFullDay(from),
            formatFullDay(until),
            <Money key="amount" amount={amount} currency={currency} />,
          ],
        }))}
      />
      <p className="hint">
        {t(
          "The institution also knows the holidays of the payer's town: the amount that it takes is booked.",
        )}
      </p>
    </section>
  );
};
