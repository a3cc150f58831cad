import type { Schemas } from '../../../client/client.ts';
import { call } from '../../api.ts';
import { BulkDialog } from '../../components/bulk-dialog.tsx';
import { Facts } from '../../components/facts.tsx';
import { tEvent } from '../../event-words.ts';
import { useMe } from '../../session.tsx';
import { t } from '../../words.ts';

type Delivery = Schemas['WebhookDelivery'];

/** Sends some deliveries again, and tells of each that was refused. */
export const ResendDialog = (props: {
  readonly deliveries: readonly Delivery[];
  readonly onClose: () => void;
}) => {
  const { deliveries, onClose } = props;
  const me = useMe();
  return (
    <BulkDialog
      about={(rows) => ({
        title: t('Resend delivery'),
        action: t('Resend'),
        effect: <Effect deliveries={rows} />,
      })}
      rows={deliveries}
      callOf={({ id }) =>
        call(me.merchant ? 'resendWebhookDelivery' : 'resendWebhookDeliveryAsOperator', { path: { id } })
      }
      nameOf={({ event, url }) => `${tEvent(event)} ${url}`}
      onClose={onClose}
    />
  );
};

const Effect = ({ deliveries }: { readonly deliveries: readonly Delivery[] }) => {
  const [first] = deliveries;
  return (
    <>
      <p>{t('The same bytes are sent again at once.')}</p>
      {first && deliveries.length === 1 && (
        <Facts
          rows={[
            [t('Event'), tEvent(first.event)],
            [t('Address'), first.url],
          ]}
        />
      )}
    </>
  );
};
