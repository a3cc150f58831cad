import { useState } from 'react';
import type { Schemas } from '../../../client/client.ts';
import { call } from '../../api.ts';
import { CommandDialog } from '../../components/command-dialog.tsx';
import { CopyButton, Facts, When } from '../../components/parts.tsx';
import { formatMoney } from '../../format.ts';
import { may, useMe } from '../../session.tsx';
import { t } from '../../words.ts';

type Charge = Schemas['Charge'];

/** The address of a payer's page, where the charge has one. */
const pageOf = (details: NonNullable<Charge['paymentDetails']>): string | null =>
  'payUrl' in details ? details.payUrl : 'paymentUrl' in details ? details.paymentUrl : null;

/** Shows how a waiting charge is paid, and plays the payer of a test. */
export const Payment = ({ charge }: { readonly charge: Charge }) => {
  const me = useMe();
  const [isPaying, setPaying] = useState(false);
  const { id, amount, currency, paymentDetails: details } = charge;
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
              amount: formatMoney(amount, currency),
            })}
          </p>
        </CommandDialog>
      )}
    </section>
  );
};
