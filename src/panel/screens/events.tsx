import { useState } from 'react';
import { Link } from 'wouter';
import type { Schemas } from '../../client/client.ts';
import { call } from '../api.ts';
import { Button } from '../components/button.tsx';
import { merchantColumns, textColumn, timeColumn } from '../components/columns.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import type { Column } from '../components/data-table.tsx';
import { Dialog } from '../components/dialog.tsx';
import { eventColumn } from '../components/event-column.tsx';
import { Facts } from '../components/facts.tsx';
import { between, choiceFilter, merchantFilters, textFilter } from '../components/filters.tsx';
import { ListScreen } from '../components/list-screen.tsx';
import { Text, When } from '../components/values.tsx';
import { eventOptions, tEvent } from '../event-words.ts';
import { pretty } from '../line-diff.ts';
import { type Me, useMe } from '../session.tsx';
import { WEBHOOK_EVENTS } from '../values.ts';
import { t } from '../words.ts';

type Event = Schemas['WebhookEvent'];

/** Screens of the records that events are about. */
const SCREENS: Readonly<Record<string, string>> = {
  chg: '/charges',
  cus: '/customers',
  sub: '/subscriptions',
};

const Resource = ({ id }: { readonly id: string }) => {
  const screen = SCREENS[id.slice(0, 3)];
  const text = <Text of={id} />;
  return screen ? <Link href={`${screen}/${id}`}>{text}</Link> : text;
};

const columns = (me: Me): readonly Column<Event>[] => [
  timeColumn('createdAt', t('Happened')),
  eventColumn(),
  { key: 'resourceId', head: t('Record'), cell: ({ resourceId }) => <Resource id={resourceId} /> },
  ...merchantColumns(me, { sort: 'merchantId' }),
  textColumn('id', t('Id'), { isExtra: true }),
];

const Events = () => {
  const me = useMe();
  const [shown, setShown] = useState<Event | null>(null);
  return (
    <ListScreen
      title={t('Events')}
      intro={t('Every change that endpoints are told of, whether or not one listened.')}
      list={me.merchant ? call('listEvents') : call('listEventsAsOperator')}
      columns={columns(me)}
      filters={[
        choiceFilter('event', t('Event'), eventOptions(WEBHOOK_EVENTS.filter((name) => name !== '*'))),
        textFilter('resourceId', t('Record')),
        ...between('createdAt'),
        ...merchantFilters(me),
      ]}
      empty={t('The first charge brings the first event.')}
      actions={(event) => <Button label={t('Show')} className="quiet" onClick={() => setShown(event)} />}
      csv="events"
    >
      {shown && <EventDialog event={shown} onClose={() => setShown(null)} />}
    </ListScreen>
  );
};
export default Events;

const EventDialog = ({ event, onClose }: { readonly event: Event; readonly onClose: () => void }) => (
  <Dialog title={tEvent(event.event)} isWide onClose={onClose}>
    <Facts
      rows={[
        [t('Event'), event.event],
        [t('Id'), event.id],
        [t('Happened'), <When key="at" at={event.createdAt} />],
        [t('Record'), <Resource key="record" id={event.resourceId} />],
        [
          t('Deliveries'),
          <Link key="deliveries" href={`/webhooks?eventId=${event.id}`}>
            {t('Deliveries')}
          </Link>,
        ],
      ]}
    />
    <pre tabIndex={0}>{pretty(event.body)}</pre>
    <footer>
      <CopyButton text={event.body} label={t('Copy')} />
      <span className="space" />
      <Button label={t('Close')} onClick={onClose} />
    </footer>
  </Dialog>
);
