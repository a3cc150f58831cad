import type { Schemas } from '../../../client/client.ts';
import { call } from '../../api.ts';
import { CommandDialog } from '../../components/command-dialog.tsx';
import { formatMoney } from '../../format.ts';
import { t } from '../../words.ts';

/** Ends a charge whose payer is not to pay any more. */
export const CancelDialog = (props: { readonly charge: Schemas['Charge']; readonly onClose: () => void }) => {
  const { id, amount, currency, customer } = props.charge;
  return (
    <CommandDialog
      title={t('Cancel charge')}
      isDestructive
      call={call('cancelCharge', { path: { id } })}
      onClose={props.onClose}
    >
      <p>
        {t('{name} cannot pay {amount} any more. A payment that comes all the same is given back at once.', {
          name: customer.name,
          amount: formatMoney(amount, currency),
        })}
      </p>
    </CommandDialog>
  );
};
