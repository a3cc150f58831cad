import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schemas } from '../../../client/client.ts';
import { ask, call } from '../../api.ts';
import { ApiMenuOf } from '../../components/api-menu.tsx';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Facts } from '../../components/facts.tsx';
import { Problem } from '../../components/problem.tsx';
import { tEvent } from '../../event-words.ts';
import { formatNumber } from '../../format.ts';
import { useMe } from '../../session.tsx';
import { readAgain } from '../../use-read.ts';
import { t } from '../../words.ts';

type Delivery = Schemas['WebhookDelivery'];

/** Sends some deliveries again, one after the other, and tells of each that was refused. */
export const ResendDialog = (props: {
  readonly deliveries: readonly Delivery[];
  readonly onClose: () => void;
}) => {
  const { deliveries, onClose } = props;
  const me = useMe();
  const client = useQueryClient();
  const [left, setLeft] = useState(deliveries);
  const [refused, setRefused] = useState<readonly (readonly [Delivery, unknown])[]>([]);
  const callOf = ({ id }: Delivery) =>
    call(me.merchant ? 'resendWebhookDelivery' : 'resendWebhookDeliveryAsOperator', { path: { id } });
  const resend = useMutation({
    async mutationFn() {
      const failures: (readonly [Delivery, unknown])[] = [];
      for (const delivery of left) {
        await ask(callOf(delivery)).catch((error) => failures.push([delivery, error]));
        setLeft((before) => before.filter(({ id }) => id !== delivery.id));
      }
      setLeft(failures.map(([delivery]) => delivery));
      setRefused(failures);
      return failures.length;
    },
    async onSuccess(failures) {
      await readAgain(client);
      if (failures === 0) onClose();
    },
  });
  const [first] = deliveries;
  return (
    <Dialog title={t('Resend delivery')} onClose={onClose}>
      <p>{t('The same bytes are sent again at once.')}</p>
      {first && deliveries.length === 1 && (
        <Facts
          rows={[
            [t('Event'), tEvent(first.event)],
            [t('Address'), first.url],
          ]}
        />
      )}
      <p role="status">{t('{count} to send', { count: formatNumber(left.length) })}</p>
      {refused.map(([delivery, error]) => (
        <div key={delivery.id}>
          <small>
            {tEvent(delivery.event)} {delivery.url}
          </small>
          <Problem error={error} />
        </div>
      ))}
      <footer>
        {first && <ApiMenuOf calls={[callOf(first)]} />}
        <span className="space" />
        <Button label={t('Cancel')} onClick={onClose} />
        <Button
          label={resend.isPending ? t('One moment …') : t('Resend')}
          className="primary"
          disabled={resend.isPending}
          onClick={() => {
            if (!resend.isPending) resend.mutate();
          }}
        />
      </footer>
    </Dialog>
  );
};
