import type { Schemas } from '../../../client/client.ts';
import { call } from '../../api.ts';
import { CommandDialog } from '../../components/command-dialog.tsx';
import { useFields } from '../../components/use-fields.tsx';
import { startOfDay } from '../../format.ts';
import { useRead } from '../../use-read.ts';
import { t } from '../../words.ts';
import { methodOptions } from './card-options.ts';

type Props = { readonly subscription: Schemas['Subscription']; readonly onClose: () => void };

export const PauseDialog = ({ subscription: { id, version }, onClose }: Props) => {
  const { values, field } = useFields({ resumeOn: '' });
  const resumeAt = values.resumeOn === '' ? null : startOfDay(values.resumeOn);
  return (
    <CommandDialog
      title={t('Pause subscription')}
      action={t('Pause')}
      call={call('pauseSubscription', { path: { id }, body: { version, resumeAt } })}
      onClose={onClose}
    >
      <p>{t('Nothing is charged until it goes on. An unpaid cycle is given up.')}</p>
      {field('resumeOn', t('Goes on by itself on'), { type: 'date' })}
    </CommandDialog>
  );
};

export const ResumeDialog = ({ subscription: { id }, onClose }: Props) => (
  <CommandDialog
    title={t('Resume subscription')}
    action={t('Resume')}
    call={call('resumeSubscription', { path: { id } })}
    onClose={onClose}
  >
    <p>
      {t('It is charged again from the next date of its calendar on. The time of the pause costs nothing.')}
    </p>
  </CommandDialog>
);

export const CancelSubscriptionDialog = ({ subscription: { id, version }, onClose }: Props) => {
  const { values, field, select } = useFields({ when: 'period_end', reason: '' });
  const body = { version, when: values.when, reason: values.reason || null };
  return (
    <CommandDialog
      title={t('Cancel subscription')}
      isDestructive
      call={call('cancelSubscription', { path: { id }, body })}
      onClose={onClose}
    >
      <p>{t('No money is given back. A cancellation at the end of the period can be undone until then.')}</p>
      {select('when', t('When'), [
        { value: 'period_end', label: t('At the end of the period that is paid') },
        { value: 'now', label: t('Now') },
      ])}
      {field('reason', t('Reason'))}
    </CommandDialog>
  );
};

export const UndoCancelDialog = ({ subscription: { id }, onClose }: Props) => (
  <CommandDialog
    title={t('Undo cancellation')}
    call={call('undoCancelSubscription', { path: { id } })}
    onClose={onClose}
  >
    <p>{t('The subscription goes on as if nothing had been planned.')}</p>
  </CommandDialog>
);

export const ChangeMethodDialog = ({ subscription, onClose }: Props) => {
  const { id, version, customerId } = subscription;
  const methods = useRead(call('listCustomerPaymentMethods', { path: { id: customerId } }));
  const { values, select } = useFields({ paymentMethodId: subscription.paymentMethodId ?? '' });
  const body = { version, paymentMethodId: values.paymentMethodId };
  return (
    <CommandDialog
      title={t('Change method')}
      action={t('Save')}
      isIncomplete={values.paymentMethodId === ''}
      call={call('updateSubscription', { path: { id }, body })}
      onClose={onClose}
    >
      <p>{t('It counts at once. An unpaid cycle is attempted with it now.')}</p>
      {select('paymentMethodId', t('Method'), methodOptions(methods.data?.data ?? []), { none: t('Choose') })}
    </CommandDialog>
  );
};

const DAYS = ['1', '7', '30'];
const DAY_SECONDS = 86_400;

/** Opens the payer's page; `onDone` is told its address. */
export const PageDialog = (props: Props & { readonly onDone: (url: string) => void }) => {
  const { subscription, onClose, onDone } = props;
  const { values, select } = useFields({ days: '1' });
  const body = { expiresIn: Number(values.days) * DAY_SECONDS };
  return (
    <CommandDialog
      title={t("Payer's page")}
      call={call('openSubscriptionPortal', { path: { id: subscription.id }, body })}
      onClose={onClose}
      onDone={({ url }) => onDone(url)}
    >
      <p>{t('A page with what was paid, receipts, and a form for another card.')}</p>
      {select(
        'days',
        t('It works for'),
        DAYS.map((days) => ({ value: days, label: t('{days} days', { days }) })),
      )}
    </CommandDialog>
  );
};
