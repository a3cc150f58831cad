import { call } from '../../api.ts';
import { CommandDialog } from '../../components/command-dialog.tsx';
import { useFields } from '../../components/use-fields.tsx';
import { useRead } from '../../use-read.ts';
import { t, tStatus } from '../../words.ts';
import { methodOptions } from '../subscription/card-options.ts';
import { activePlans, planOptions } from '../subscription/plan-options.ts';

const PAYERS = ['pix', 'voucher', 'checkout'];

/** Begins a subscription of a customer to a plan. */
export const SubscribeDialog = (props: { readonly customerId: string; readonly onClose: () => void }) => {
  const { customerId, onClose } = props;
  const plans = useRead(activePlans());
  const methods = useRead(call('listCustomerPaymentMethods', { path: { id: customerId } }));
  const { values, field, select } = useFields({
    planId: '',
    paidBy: '',
    trialDays: '',
    description: '',
    reference: '',
  });
  const { planId, paidBy, trialDays, description, reference } = values;
  const body = {
    customerId,
    planId,
    ...(PAYERS.includes(paidBy)
      ? { collection: 'payer', payerMethod: paidBy }
      : { collection: 'automatic', paymentMethodId: paidBy }),
    ...(trialDays === '' ? {} : { trialDays: Number(trialDays) }),
    ...(description ? { description } : {}),
    ...(reference ? { reference } : {}),
  };
  return (
    <CommandDialog
      title={t('Begin subscription')}
      action={t('Begin')}
      isIncomplete={planId === '' || paidBy === ''}
      call={call('createSubscription', { body })}
      onClose={onClose}
    >
      <p>{t('Without a trial the first payment is made now.')}</p>
      {select('planId', t('Plan'), planOptions(plans.data?.data ?? []), { none: t('Choose') })}
      {select(
        'paidBy',
        t('Paid by'),
        [
          ...methodOptions(methods.data?.data ?? []),
          ...PAYERS.map((value) => ({
            value,
            label: t('the customer, {method}', { method: tStatus(value) }),
          })),
        ],
        { none: t('Choose') },
      )}
      {field('trialDays', t('Days of trial'), {
        type: 'number',
        min: 0,
        max: 365,
        hint: t('Those of the plan where empty.'),
      })}
      {field('description', t('Description'))}
      {field('reference', t('Reference'))}
    </CommandDialog>
  );
};
