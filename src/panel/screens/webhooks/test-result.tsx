import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Schemas } from '../../../client/client.ts';
import { ask, call } from '../../api.ts';
import { ApiMenuOf } from '../../components/api-menu.tsx';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Facts } from '../../components/facts.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Status } from '../../components/status.tsx';
import { formatNumber } from '../../format.ts';
import { useMe } from '../../session.tsx';
import { t } from '../../words.ts';
import { answerOf } from './delivery-dialog.tsx';

type Delivery = Schemas['WebhookDelivery'];

const LOOK_EVERY_MS = 1_000;

/** The answer of an endpoint to a test event, as soon as there is one. */
export const TestResult = ({ sent, onClose }: { readonly sent: Delivery; readonly onClose: () => void }) => {
  const path = { id: sent.id };
  const read = useMe().merchant
    ? call('getWebhookDelivery', { path })
    : call('getWebhookDeliveryAsOperator', { path });
  const delivery = useQuery({
    queryKey: [read.operation, read.input],
    queryFn: () => ask(read),
    refetchInterval: ({ state }) => (state.data?.attempts.length ? false : LOOK_EVERY_MS),
  });
  return (
    <Dialog title={t('Result of the test')} onClose={onClose}>
      <Loaded of={delivery} lines={3}>
        {(found) => <Result delivery={found} />}
      </Loaded>
      <footer>
        <ApiMenuOf calls={[read]} />
        <Link href={`/webhooks?eventId=${encodeURIComponent(sent.eventId)}`}>{t('Deliveries')}</Link>
        <span className="space" />
        <Button label={t('Close')} onClick={onClose} />
      </footer>
    </Dialog>
  );
};

const outcomeOf = ({ statusCode, durationMs }: Delivery['attempts'][number]): string => {
  const time = formatNumber(durationMs);
  return statusCode === null
    ? t('The endpoint gave no answer within {time} ms.', { time })
    : t('The endpoint answered after {time} ms.', { time });
};

const Result = ({ delivery }: { readonly delivery: Delivery }) => {
  const last = delivery.attempts.at(-1);
  return (
    <>
      <p role="status">{last ? outcomeOf(last) : t('The event is on its way …')}</p>
      <Facts
        rows={[
          [t('Event'), delivery.event],
          [t('Address'), delivery.url],
          [t('Status'), <Status key="status" status={delivery.status} />],
          ...(last ? [[t('Response'), answerOf(last)] as const] : []),
        ]}
      />
      {last?.response && <pre tabIndex={0}>{last.response}</pre>}
    </>
  );
};
