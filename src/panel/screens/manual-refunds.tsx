import { useState } from 'react';
import { Link } from 'wouter';
import { CommandDialog } from '../components/command-dialog.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { TextArea } from '../components/field.tsx';
import { Money, Status, When } from '../components/parts.tsx';
import { formatAge, formatMoney } from '../format.ts';
import { may, useMe } from '../session.tsx';
import { useTitle } from '../use-title.ts';
import { t, tStatus } from '../words.ts';

type Request = {
  readonly id: string;
  readonly chargeId: string;
  readonly merchant: { readonly id: string; readonly name: string | null };
  readonly amount: number;
  readonly currency: string;
  readonly pspRefId: string | null;
  readonly status: string;
  readonly resolved_by_user_id: string | null;
  readonly resolved_at: string | null;
  readonly notes: string | null;
  readonly createdAt: string;
};

const columns = (): readonly Column<Request>[] => [
  {
    key: 'createdAt',
    head: t('Waiting since'),
    sort: 'createdAt',
    cell: ({ createdAt }) => (
      <>
        <When at={createdAt} />
        <small>{formatAge(createdAt)}</small>
      </>
    ),
  },
  {
    key: 'merchant',
    head: t('Merchant'),
    cell: ({ merchant }) => (
      <>
        {merchant.name ?? merchant.id}
        <small>{merchant.id}</small>
      </>
    ),
  },
  {
    key: 'amount',
    head: t('Amount'),
    isNumber: true,
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
  { key: 'status', head: t('Status'), cell: ({ status }) => <Status status={status} /> },
  {
    key: 'charge',
    head: t('Charge'),
    cell: ({ chargeId, pspRefId }) => (
      <>
        <Link href={`/charges/${chargeId}`}>{t('Charge')}</Link>
        <small>{pspRefId}</small>
      </>
    ),
  },
  {
    key: 'resolved',
    head: t('Resolved'),
    cell: ({ resolved_at, resolved_by_user_id, notes }) => (
      <>
        <When at={resolved_at} />
        {resolved_by_user_id && <small>{resolved_by_user_id}</small>}
        {notes && <small>{notes}</small>}
      </>
    ),
  },
];

const ManualRefunds = () => {
  const me = useMe();
  const [chosen, setChosen] = useState<Request | null>(null);
  useTitle(t('Manual refunds'));
  return (
    <>
      <h1>{t('Manual refunds')}</h1>
      <DataTable
        path="/v1/admin/manual-refund-requests"
        caption={t('Manual refunds')}
        columns={columns()}
        filters={[
          {
            kind: 'select',
            name: 'status',
            label: t('Status'),
            options: ['pending', 'resolved', 'all'].map((value) => ({ value, label: tStatus(value) })),
          },
        ]}
        empty={t('Nothing waits: refunds of alerts that a provider refuses come here.')}
        actions={(request) =>
          request.status === 'pending' &&
          may(me, 'admin.manual_refund_requests.update') && (
            <button type="button" onClick={() => setChosen(request)}>
              {t('Resolve')}
            </button>
          )
        }
      />
      {chosen && <ResolveDialog request={chosen} onClose={() => setChosen(null)} />}
    </>
  );
};
export default ManualRefunds;

const ResolveDialog = ({ request, onClose }: { readonly request: Request; readonly onClose: () => void }) => {
  const { id, amount, currency, merchant } = request;
  const [notes, setNotes] = useState('');
  return (
    <CommandDialog
      title={t('Resolve manual refund')}
      action={t('Resolve')}
      call={{
        method: 'POST',
        path: `/v1/admin/manual-refund-requests/${id}/resolve`,
        body: notes ? { notes } : {},
      }}
      onClose={onClose}
    >
      {(error) => (
        <>
          <p>
            {t(
              'This says that {amount} of {name} were given back to the payer by hand. No money moves here.',
              {
                amount: formatMoney(amount, currency),
                name: merchant.name ?? merchant.id,
              },
            )}
          </p>
          <TextArea label={t('Notes')} name="notes" value={notes} onText={setNotes} error={error} />
        </>
      )}
    </CommandDialog>
  );
};
