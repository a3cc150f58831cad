import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Schemas } from '../../../client/client.ts';
import { ask, call } from '../../api.ts';
import { CommandDialog } from '../../components/command-dialog.tsx';
import { Facts } from '../../components/facts.tsx';
import { MerchantName } from '../../components/merchant.tsx';
import { Problem } from '../../components/problem.tsx';
import { Status } from '../../components/status.tsx';
import { givenOf, useFields } from '../../components/use-fields.tsx';
import { Money } from '../../components/values.tsx';
import { formatMoney } from '../../format.ts';
import { t } from '../../words.ts';
import { ChargeField, isChargeId } from './charge-field.tsx';

type Charge = Schemas['Charge'];

type Fee = Schemas['ChargebackAlertFeeSetting']['content'];

/** The fee that an alert of a merchant costs: its own setting, else the gateway's; null where there is none. */
const findFee = async (merchantId: string): Promise<Fee | null> => {
  const query = { name: 'chargeback_alert_fee', size: 1 };
  const calls = [
    call('listMerchantSettings', { path: { id: merchantId }, query }),
    call('listDefaultSettings', { query }),
  ];
  for (const one of calls) {
    const [setting] = (await ask(one)).data;
    if (setting) return setting.content as Fee;
  }
  return null;
};

/** Registers an announced chargeback: of a charge that is known, or of one that is looked for. */
export const RegisterDialog = (props: { readonly charge?: Charge; readonly onClose: () => void }) => {
  const { charge, onClose } = props;
  const { values, field, set } = useFields({ chargeId: charge?.id ?? '', reason: '', externalId: '' });
  const chargeId = values.chargeId.trim();
  const effect = useQuery({
    queryKey: ['alert-effect', chargeId],
    enabled: isChargeId(chargeId),
    queryFn: async () => {
      const charge = await ask(call('getCharge', { path: { id: chargeId } }));
      return { charge, fee: await findFee(charge.merchantId) };
    },
  });
  return (
    <CommandDialog
      title={t('Register alert')}
      isDestructive
      doomed={effect.data && doomOf(effect.data)}
      call={call('createChargebackAlert', { body: { chargeId, ...givenOf({ ...values, chargeId }) } })}
      onClose={onClose}
    >
      {!charge && (
        <ChargeField
          label={t('Charge')}
          name="chargeId"
          value={values.chargeId}
          onText={(text) => set('chargeId', text)}
          required
        />
      )}
      {effect.error && <Problem error={effect.error} />}
      {effect.data && <Effect {...effect.data} />}
      {field('reason', t('Reason'))}
      {field('externalId', t("Announcer's reference"))}
    </CommandDialog>
  );
};

const ALERTABLE = 'paid';

/** Why an alert of this charge would be refused, with the way to what is missing. */
const doomOf = ({ charge, fee }: EffectProps): ReactNode => {
  if (charge.status !== ALERTABLE)
    return (
      <>
        {t('The charge is not paid, so that nothing can be taken back.')}{' '}
        <Link href={`/charges/${charge.id}`}>{t('Charge')}</Link>
      </>
    );
  if (fee) return null;
  return (
    <>
      {t('No fee of an alert is set for the merchant or for all.')}{' '}
      <Link href={`/merchants/${charge.merchantId}/settings`}>{t('Settings')}</Link>
    </>
  );
};

type EffectProps = { readonly charge: Charge; readonly fee: Fee | null };

const Effect = ({ charge, fee }: EffectProps) => (
  <>
    <Facts
      rows={[
        [t('Customer'), charge.customer.name],
        [t('Status'), <Status key="status" status={charge.status} />],
        [t('Merchant'), <MerchantName key="merchant" id={charge.merchantId} />],
        [t('Fee'), fee && <Money key="fee" amount={fee.amount} currency={fee.currency} />],
      ]}
    />
    <p>
      {t('{amount} are taken back from the merchant and its participants and refunded to the payer.', {
        amount: formatMoney(charge.paidAmount ?? charge.amount, charge.currency),
      })}{' '}
      {fee ? t('The merchant pays a fee of {fee}.', { fee: formatMoney(fee.amount, fee.currency) }) : null}
    </p>
  </>
);
