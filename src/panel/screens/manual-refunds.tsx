import { useState } from 'react';
import { Link } from 'wouter';
import type { Schemas } from '../../client/client.ts';
import { call } from '../api.ts';
import { ActorName } from '../components/actor.tsx';
import { Button } from '../components/button.tsx';
import { moneyColumn, statusColumn, TwoLines } from '../components/columns.tsx';
import { CommandDialog } from '../components/command-dialog.tsx';
import type { Column } from '../components/data-table.tsx';
import { between, choiceFilter, merchantFilter } from '../components/filters.tsx';
import { ListScreen } from '../components/list-screen.tsx';
import { givenOf, useFields } from '../components/use-fields.tsx';
import { When } from '../components/values.tsx';
import { formatAge, formatMoney } from '../format.ts';
import { may, useMe } from '../session.tsx';
import { optionsOf } from '../values.ts';
import { t } from '../words.ts';

type Request = Schemas['ManualRefundRequest'];

const columns = (): readonly Column<Request>[] => [
  {
    key: 'createdAt',
    head: t('Waiting since'),
    sort: 'createdAt',
    cell: ({ createdAt }) => <TwoLines first={<When at={createdAt} />} second={formatAge(createdAt)} />,
  },
  {
    key: 'merchant',
    head: t('Merchant'),
    cell: ({ merchant }) => <TwoLines first={merchant.name ?? merchant.id} second={merchant.id} />,
  },
  moneyColumn('amount', t('Amount')),
  statusColumn({}),
  {
    key: 'charge',
    head: t('Charge'),
    cell: ({ chargeId, pspRefId }) => (
      <TwoLines first={<Link href={`/charges/${chargeId}`}>{t('Charge')}</Link>} second={pspRefId} />
    ),
  },
  {
    key: 'resolved',
    head: t('Resolved'),
    cell: ({ resolved_at, resolved_by_user_id, notes }) => (
      <>
        <TwoLines
          first={<When at={resolved_at} />}
          second={resolved_by_user_id && <ActorName id={resolved_by_user_id} />}
        />
        {notes && <small>{notes}</small>}
      </>
    ),
  },
];

const ManualRefunds = () => {
  const me = useMe();
  const [chosen, setChosen] = useState<Request | null>(null);
  return (
    <ListScreen
      title={t('Manual refunds')}
      list={call('listManualRefundRequests', { query: { orderBy: 'createdAt' } })}
      columns={columns()}
      filters={[
        choiceFilter('status', t('Status'), optionsOf(['pending', 'resolved', 'all']), {
          fallback: 'pending',
        }),
        merchantFilter(),
        ...between('createdAt'),
      ]}
      csv="manual-refunds"
      empty={t('Nothing waits: refunds of alerts that a provider refuses come here.')}
      actions={(request) =>
        request.status === 'pending' &&
        may(me, 'admin.manual_refund_requests.update') && (
          <Button label={t('Resolve')} onClick={() => setChosen(request)} />
        )
      }
    >
      {chosen && <ResolveDialog request={chosen} onClose={() => setChosen(null)} />}
    </ListScreen>
  );
};
export default ManualRefunds;

const ResolveDialog = ({ request, onClose }: { readonly request: Request; readonly onClose: () => void }) => {
  const { id, amount, currency, merchant } = request;
  const { values, area } = useFields({ notes: '' });
  return (
    <CommandDialog
      title={t('Resolve manual refund')}
      action={t('Resolve')}
      call={call('resolveManualRefundRequest', { path: { id }, body: givenOf(values) })}
      onClose={onClose}
    >
      <p>
        {t('This says that {amount} of {name} were given back to the payer by hand. No money moves here.', {
          amount: formatMoney(amount, currency),
          name: merchant.name ?? merchant.id,
        })}
      </p>
      {area('notes', t('Notes'))}
    </CommandDialog>
  );
};
