import { useState } from 'react';
import type { Schemas } from '../../client/client.ts';
import { CommandDialog } from '../components/command-dialog.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { decisionColumn } from '../components/decision-column.tsx';
import { TextArea } from '../components/field.tsx';
import { Facts, When } from '../components/parts.tsx';
import { SecretDialog } from '../components/secret-dialog.tsx';
import { Snapshots } from '../components/snapshots.tsx';
import { useMe } from '../session.tsx';
import { useTitle } from '../use-title.ts';
import { namesOf, optionsOf, PROPOSAL_KINDS, PROPOSAL_STATUSES } from '../values.ts';
import { t } from '../words.ts';

type Proposal = Schemas['Proposal'];

const columns = (): readonly Column<Proposal>[] => [
  {
    key: 'createdAt',
    head: t('Proposed'),
    sort: 'createdAt',
    cell: ({ createdAt }) => <When at={createdAt} />,
  },
  {
    key: 'kind',
    head: t('Action'),
    sort: 'kind',
    cell: ({ kind, summary }) => (
      <>
        {summary}
        <small>{kind}</small>
      </>
    ),
  },
  { key: 'createdBy', head: t('Author'), sort: 'createdBy', cell: ({ createdBy }) => createdBy },
  decisionColumn(),
  { key: 'expiresAt', head: t('Ends'), sort: 'expiresAt', cell: ({ expiresAt }) => <When at={expiresAt} /> },
  { key: 'decidedBy', head: t('Decided by'), cell: ({ decidedBy }) => decidedBy ?? '–' },
];

type Step = { readonly kind: 'approve' | 'reject'; readonly proposal: Proposal };

const Proposals = () => {
  const me = useMe();
  const [step, setStep] = useState<Step | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  useTitle(t('Proposals'));
  const close = (): void => setStep(null);
  return (
    <>
      <h1>{t('Proposals')}</h1>
      <p>{t('Commands that a second operator has to approve. Nobody approves their own.')}</p>
      <DataTable
        path="/v1/admin/proposals"
        caption={t('Proposals')}
        columns={columns()}
        filters={[
          { kind: 'select', name: 'status', label: t('Status'), options: optionsOf(PROPOSAL_STATUSES) },
          { kind: 'select', name: 'kind', label: t('Action'), options: namesOf(PROPOSAL_KINDS) },
          { kind: 'text', name: 'resourceId', label: t('Record') },
        ]}
        empty={t('Sensitive commands that wait for a second operator are shown here.')}
        actions={(proposal) =>
          proposal.status === 'pending' && (
            <>
              {proposal.createdBy !== me.id && (
                <button type="button" onClick={() => setStep({ kind: 'approve', proposal })}>
                  {t('Approve')}
                </button>
              )}
              <button type="button" onClick={() => setStep({ kind: 'reject', proposal })}>
                {t('Reject')}
              </button>
            </>
          )
        }
      />
      {step?.kind === 'approve' && (
        <CommandDialog<Schemas['ApprovedProposal']>
          title={t('Approve proposal')}
          action={t('Approve')}
          call={{ method: 'POST', path: `/v1/admin/proposals/${step.proposal.id}/approve` }}
          onClose={close}
          onDone={({ result }) => {
            if ('oneTimePassword' in result) setSecret(String(result.oneTimePassword));
          }}
        >
          {() => <About proposal={step.proposal} />}
        </CommandDialog>
      )}
      {step?.kind === 'reject' && <RejectDialog proposal={step.proposal} onClose={close} />}
      {secret !== null && (
        <SecretDialog
          title={t('One-time password')}
          advice={t('Good for one login, which then asks for a password of its own.')}
          secrets={[[t('One-time password'), secret]]}
          onClose={() => setSecret(null)}
        />
      )}
    </>
  );
};
export default Proposals;

const About = ({ proposal }: { readonly proposal: Proposal }) => (
  <>
    <Facts
      rows={[
        [t('Action'), proposal.summary],
        [t('Author'), proposal.createdBy],
        [t('Record'), proposal.resourceId],
      ]}
    />
    <Snapshots {...proposal.change} />
  </>
);

const RejectDialog = ({
  proposal,
  onClose,
}: {
  readonly proposal: Proposal;
  readonly onClose: () => void;
}) => {
  const [reason, setReason] = useState('');
  return (
    <CommandDialog
      title={t('Reject proposal')}
      action={t('Reject')}
      isDestructive
      call={{ method: 'POST', path: `/v1/admin/proposals/${proposal.id}/reject`, body: { reason } }}
      onClose={onClose}
    >
      {(error) => (
        <>
          <About proposal={proposal} />
          <TextArea
            label={t('Reason')}
            name="reason"
            value={reason}
            onText={setReason}
            required
            error={error}
          />
        </>
      )}
    </CommandDialog>
  );
};
