import { useState } from 'react';
import { Link } from 'wouter';
import type { Schemas } from '../../client/client.ts';
import { call } from '../api.ts';
import { Button } from '../components/button.tsx';
import { merchantColumns, TwoLines, textColumn, timeColumn } from '../components/columns.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import type { Column } from '../components/data-table.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Facts } from '../components/facts.tsx';
import { between, choiceFilter, merchantFilters, textFilter } from '../components/filters.tsx';
import { ListScreen } from '../components/list-screen.tsx';
import { Text, When } from '../components/values.tsx';
import { formatNumber } from '../format.ts';
import { type Me, useMe } from '../session.tsx';
import { HTTP_METHODS, namesOf } from '../values.ts';
import { t } from '../words.ts';

type Request = Schemas['LoggedRequest'];

const answerOf = ({ status }: Request): string => (status === null ? t('No answer') : `HTTP ${status}`);

const Answer = ({ of }: { readonly of: Request }) => (
  <span className={of.failed ? 'status bad' : 'status good'}>{answerOf(of)}</span>
);

const Duration = ({ of }: { readonly of: Request }) => <>{`${formatNumber(of.durationMs)} ms`}</>;

const columns = (me: Me): readonly Column<Request>[] => [
  timeColumn('createdAt', t('Happened')),
  {
    key: 'status',
    head: t('Answer'),
    sort: 'status',
    cell: (request) => <TwoLines first={<Answer of={request} />} second={request.code} />,
  },
  {
    key: 'path',
    head: t('Request'),
    sort: 'path',
    cell: ({ method, path, message }) => <TwoLines first={`${method} ${path}`} second={message} />,
  },
  {
    key: 'durationMs',
    head: t('Duration'),
    sort: 'durationMs',
    isNumber: true,
    cell: (request) => <Duration of={request} />,
  },
  ...merchantColumns(me, { sort: 'merchantId' }),
  textColumn('keyId', t('API key'), { sort: 'keyId', isExtra: true }),
  textColumn('requestId', t('Request id'), { isExtra: true }),
];

const Logs = () => {
  const me = useMe();
  const [shown, setShown] = useState<Request | null>(null);
  // Failed requests come first, because somebody who opens the log is looking for one.
  const query = { orderBy: '-failed,-createdAt' };
  return (
    <ListScreen
      title={t('Logs')}
      intro={t('Requests of API keys with their answers. Failed ones come first.')}
      list={me.merchant ? call('listRequests', { query }) : call('listRequestsAsOperator', { query })}
      columns={columns(me)}
      filters={[
        choiceFilter('failed', t('Result'), [
          { value: 'true', label: t('Failed') },
          { value: 'false', label: t('Successful') },
        ]),
        textFilter('status', t('Response code')),
        textFilter('code', t('Error code')),
        choiceFilter('method', t('HTTP method'), namesOf(HTTP_METHODS)),
        textFilter('path', t('Path')),
        textFilter('keyId', t('API key')),
        textFilter('requestId', t('Request id')),
        ...between('createdAt'),
        ...merchantFilters(me),
      ]}
      empty={t('The first request of an API key is shown here a few seconds later.')}
      actions={(request) => (
        <Button label={t('Details')} className="quiet" onClick={() => setShown(request)} />
      )}
      csv="requests"
    >
      {shown && <RequestDialog request={shown} onClose={() => setShown(null)} />}
    </ListScreen>
  );
};
export default Logs;

const RequestDialog = ({ request, onClose }: { readonly request: Request; readonly onClose: () => void }) => {
  const { requestId, keyId, createdAt, code, message, errors, body } = request;
  return (
    <Dialog title={`${request.method} ${request.path}`} isWide onClose={onClose}>
      <Facts
        rows={[
          [t('Answer'), <Answer key="answer" of={request} />],
          [t('Error code'), code],
          [t('Message'), message],
          [t('Happened'), <When key="at" at={createdAt} />],
          [t('Duration'), <Duration key="duration" of={request} />],
          [t('Request id'), requestId],
          [
            t('API key'),
            <Link key="key" href={`/logs?keyId=${keyId}`} onClick={onClose}>
              <Text of={keyId} />
            </Link>,
          ],
        ]}
      />
      {errors.length > 0 && (
        <ul>
          {errors.map((fault) => (
            <li key={`${fault.path} ${fault.message}`}>{fault.message}</li>
          ))}
        </ul>
      )}
      {body && (
        <>
          <h3>{t('Body')}</h3>
          <p>{t('Values are masked, except amounts and words of the API.')}</p>
          <pre tabIndex={0}>{JSON.stringify(body, null, 2)}</pre>
        </>
      )}
      <footer>
        <Link href={`/search?q=${encodeURIComponent(requestId)}`}>{t('What it changed')}</Link>
        <CopyButton text={requestId} label={t('Copy request id')} />
        <span className="space" />
        <Button label={t('Close')} onClick={onClose} />
      </footer>
    </Dialog>
  );
};
