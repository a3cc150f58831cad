import { Link, useLocation } from 'wouter';
import { call } from '../../api.ts';
import { CommandDialog } from '../../components/command-dialog.tsx';
import { amountOf } from '../../components/money-field.tsx';
import { useFields } from '../../components/use-fields.tsx';
import { may, useMe } from '../../session.tsx';
import { t } from '../../words.ts';

/** Asks a payer for a Pix. Cards are never typed into the panel: they come by the API, or as a wallet's token. */
export const CreateChargeDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const [, navigate] = useLocation();
  const { values, field, money, merchant } = useFields({
    amount: '',
    'customer.name': '',
    'customer.email': '',
    reference: '',
    'split.0.merchantId': '',
    'split.0.percentage': '',
  });
  const me = useMe();
  const isMaster = me.merchant?.role === 'MerchantMaster';
  const mayLink = may(me, 'checkout.manage');
  const { amount, reference } = values;
  const participant = values['split.0.merchantId'].trim();
  const body = {
    amount: amountOf(amount, 'BRL'),
    currency: 'BRL',
    customer: { name: values['customer.name'], email: values['customer.email'] },
    paymentMethod: { type: 'pix', installments: 1 },
    ...(reference ? { reference } : {}),
    ...(participant
      ? { split: [{ merchantId: participant, percentage: Number(values['split.0.percentage']) }] }
      : {}),
  };
  return (
    <CommandDialog
      title={t('Create charge')}
      call={call('createCharge', { body })}
      onClose={onClose}
      onDone={({ id }) => navigate(`/charges/${id}`)}
    >
      <p>{t('The payer pays by Pix, with the code that is shown next.')}</p>
      {mayLink && (
        <p>
          <Link href="/payment-links">{t('Or send a payment link, which takes cards, too.')}</Link>
        </p>
      )}
      {money('amount', t('Amount in BRL'), 'BRL', { required: true })}
      {field('customer.name', t('Customer'), { required: true })}
      {field('customer.email', t('E-mail'), { type: 'email', required: true })}
      {field('reference', t('Reference'))}
      {isMaster &&
        merchant('split.0.merchantId', t('Sub-merchant'), {
          hint: t('Takes part in this charge. Without one the default split counts.'),
        })}
      {participant !== '' &&
        field('split.0.percentage', t('Per cent'), {
          type: 'number',
          min: '0',
          max: '100',
          step: '0.0001',
          required: true,
        })}
    </CommandDialog>
  );
};
