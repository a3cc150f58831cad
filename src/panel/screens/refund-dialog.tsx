import type { Schemas } from '../../client/client.ts';
import { apiError, call } from '../api.ts';
import { CommandDialog } from '../components/command-dialog.tsx';
import { MerchantName } from '../components/merchant.tsx';
import { Problem } from '../components/problem.tsx';
import { Table } from '../components/table.tsx';
import { useFields } from '../components/use-fields.tsx';
import { Money } from '../components/values.tsx';
import { addMoney, formatMoney } from '../format.ts';
import { may, useMe } from '../session.tsx';
import { useRead } from '../use-read.ts';
import { t } from '../words.ts';

type Charge = Schemas['Charge'];

/** Takes back what the seller and each participant got of a charge. */
const takenBack = ({ amount, paidAmount, currency, merchantId, split }: Charge) => {
  const parts = split ?? [];
  const own = addMoney(currency, paidAmount ?? amount, ...parts.map((part) => -part.amount));
  return [
    { merchantId, amount: own },
    ...parts.map((part) => ({ merchantId: part.merchantId, amount: part.amount })),
  ];
};

/** Shows what a refund does to every balance before it is sent. */
export const RefundDialog = (props: { readonly charge: Charge; readonly onClose: () => void }) => {
  const { charge, onClose } = props;
  const { id, amount, paidAmount, currency, customer } = charge;
  const { values, area } = useFields({ reason: '' });
  return (
    <CommandDialog
      title={t('Refund charge')}
      isDestructive
      call={call('createRefund', { body: { chargeId: id, ...values } })}
      onClose={onClose}
    >
      <p>
        {t('{amount} go back to {name}, once and in full. The fee is not returned.', {
          amount: formatMoney(paidAmount ?? amount, currency),
          name: customer.name,
        })}
      </p>
      <Effect charge={charge} />
      <p className="hint">
        {t('It is taken from what is not settled yet first, then from what is available.')}
      </p>
      {area('reason', t('Reason'), { required: true })}
    </CommandDialog>
  );
};

const Effect = ({ charge }: { readonly charge: Charge }) => (
  <Table
    caption={t('Effect on balances')}
    heads={[t('Merchant'), { number: t('Change') }, { number: t('Balance after') }]}
    rows={takenBack(charge).map(({ merchantId, amount }) => {
      const isOwn = merchantId === charge.merchantId;
      return {
        key: merchantId,
        cells: [
          isOwn ? t('You') : <MerchantName key="merchant" id={merchantId} />,
          <Money key="change" amount={-amount} currency={charge.currency} />,
          <BalanceAfter
            key="after"
            of={isOwn ? {} : { merchantId }}
            change={-amount}
            currency={charge.currency}
          />,
        ],
      };
    })}
  />
);

/** Balance of both buckets afterwards, where the API shows it: a merchant's own, and those of its sub-merchants. */
const BalanceAfter = (props: {
  readonly of: { readonly merchantId?: string };
  readonly change: number;
  readonly currency: string;
}) => {
  const isShown = may(useMe(), 'statement.read');
  const { data, error } = useRead(call('getBalance', { query: props.of }), { isWanted: isShown });
  if (!isShown || apiError(error)?.statusCode === 403) return <small>{t('Not visible to you')}</small>;
  if (error) return <Problem error={error} />;
  if (!data) return '–';
  const now = data.data.find(({ currency }) => currency === props.currency);
  const before = now ? addMoney(props.currency, now.available, now.reserved) : 0;
  return <Money amount={addMoney(props.currency, before, props.change)} currency={props.currency} />;
};
