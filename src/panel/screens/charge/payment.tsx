import { useState } from 'react';
import type { Schemas } from '../../../client/client.ts';
import { call } from '../../api.ts';
import { CommandDialog } from '../../components/command-dialog.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Facts } from '../../components/facts.tsx';
import { When } from '../../components/values.tsx';
import { dayOf, formatMoney } from '../../format.ts';
import { may, useMe } from '../../session.tsx';
import { t } from '../../words.ts';

type Charge = Schemas['Charge'];

/** The address of a payer's page, where the charge has one. */
const pageOf = (details: NonNullable<Charge['paymentDetails']>): string | null =>
  'payUrl' in details ? (details.payUrl ?? null) : 'paymentUrl' in details ? details.paymentUrl : null;

/** The amount that is due today: by the clock of Pix where it has a due date. */
const dueToday = ({ amount, paymentDetails: details }: Charge): number => {
  const today = dayOf(new Date(), 'America/Sao_Paulo');
  const periods = details && 'amountsDue' in details ? (details.amountsDue ?? []) : [];
  return periods.find(({ from, until }) => from <= today && today <= until)?.amount ?? amount;
};

/** Shows how a waiting charge is paid, and plays the payer of a test. */
export const Payment = ({ charge }: { readonly charge: Charge }) => {
  const me = useMe();
  const [isPaying, setPaying] = useState(false);
  const { id, currency, paymentDetails: details } = charge;
  if (charge.status !== 'pending' || details === null) return null;
  const page = pageOf(details);
  const mayPay = !me.livemode && me.merchant?.id === charge.merchantId && may(me, 'charges.create');
  return (
    <section>
      <div className="heading">
        <h2>{t('Payment')}</h2>
        <span className="space" />
        {mayPay && (
          <button type="button" onClick={() => setPaying(true)}>
            {t('Pay as a test')}
          </button>
        )}
      </div>
      {'copyPaste' in details && (
        <Facts
          rows={[
            [
              t('Pix code'),
              <span key="code" className="long">
                {details.copyPaste} <CopyButton text={details.copyPaste} label={t('Copy')} />
              </span>,
            ],
            [t('Ends'), <When key="ends" at={details.expiresAt ?? null} />],
          ]}
        />
      )}
      {page && (
        <p>
          <a href={page}>{t("The payer's page")}</a>
        </p>
      )}
      {isPaying && (
        <CommandDialog
          title={t('Pay as a test')}
          call={call('payTestCharge', { path: { id } })}
          onClose={() => setPaying(false)}
        >
          <p>
            {t('The simulator takes {amount} from a payer that does not exist.', {
              amount: formatMoney(dueToday(charge), currency),
            })}
          </p>
        </CommandDialog>
      )}
    </section>
  );
};
