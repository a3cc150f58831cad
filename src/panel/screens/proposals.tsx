import { useState } from 'react';
import type { Schemas } from '../../client/client.ts';
import { call } from '../api.ts';
import { ActorName } from '../components/actor.tsx';
import { Button } from '../components/button.tsx';
import { decisionColumn, TwoLines, timeColumn } from '../components/columns.tsx';
import { CommandDialog } from '../components/command-dialog.tsx';
import type { Column } from '../components/data-table.tsx';
import { OwnProposal } from '../components/doomed.tsx';
import { Facts } from '../components/facts.tsx';
import { choiceFilter, textFilter } from '../components/filters.tsx';
import { ListScreen } from '../components/list-screen.tsx';
import { RejectDialog } from '../components/reject-dialog.tsx';
import { OneTimePassword } from '../components/secret-dialog.tsx';
import { Snapshots } from '../components/snapshots.tsx';
import { tEvent } from '../event-words.ts';
import { useMe } from '../session.tsx';
import { optionsOf, PROPOSAL_KINDS, PROPOSAL_STATUSES } from '../values.ts';
import { t } from '../words.ts';

type Proposal = Schemas['Proposal'];

const columns = (): readonly Column<Proposal>[] => [
  timeColumn('createdAt', t('Proposed')),
  {
    key: 'kind',
    head: t('Action'),
    sort: 'kind',
    cell: ({ kind, summary }) => <TwoLines first={tEvent(kind)} second={summary} />,
  },
  {
    key: 'createdBy',
    head: t('Author'),
    sort: 'createdBy',
    cell: ({ createdBy }) => <ActorName id={createdBy} />,
  },
  decisionColumn(),
  timeColumn('expiresAt', t('Ends')),
  { key: 'decidedBy', head: t('Decided by'), cell: ({ decidedBy }) => <ActorName id={decidedBy} /> },
];

type Step = { readonly kind: 'approve' | 'reject'; readonly proposal: Proposal };

const Proposals = () => {
  const me = useMe();
  const [step, setStep] = useState<Step | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const close = (): void => setStep(null);
  const actions = (proposal: Proposal) =>
    proposal.status === 'pending' && (
      <>
        {proposal.createdBy === me.id ? (
          <OwnProposal />
        ) : (
          <Button label={t('Approve')} onClick={() => setStep({ kind: 'approve', proposal })} />
        )}
        <Button label={t('Reject')} onClick={() => setStep({ kind: 'reject', proposal })} />
      </>
    );
  return (
    <ListScreen
      title={t('Proposals')}
      intro={t('Commands that a second operator has to approve. Nobody approves their own.')}
      list={call('listProposals')}
      columns={columns()}
      filters={[
        choiceFilter('status', t('Status'), optionsOf(PROPOSAL_STATUSES)),
        choiceFilter(
          'kind',
          t('Action'),
          PROPOSAL_KINDS.map((value) => ({ value, label: tEvent(value) })),
        ),
        textFilter('resourceId', t('Record')),
      ]}
      csv="proposals"
      empty={t('Sensitive commands that wait for a second operator are shown here.')}
      actions={actions}
    >
      {step?.kind === 'approve' && (
        <CommandDialog
          title={t('Approve proposal')}
          action={t('Approve')}
          call={call('approveProposal', { path: { id: step.proposal.id } })}
          onClose={close}
          onDone={({ result }) => {
            if ('oneTimePassword' in result) setSecret(String(result.oneTimePassword));
          }}
        >
          <About proposal={step.proposal} />
        </CommandDialog>
      )}
      {step?.kind === 'reject' && (
        <RejectDialog
          title={t('Reject proposal')}
          name="reason"
          isReasonNeeded
          callOf={(body) => call('rejectProposal', { path: { id: step.proposal.id }, body })}
          onClose={close}
        >
          <About proposal={step.proposal} />
        </RejectDialog>
      )}
      {secret !== null && <OneTimePassword password={secret} onClose={() => setSecret(null)} />}
    </ListScreen>
  );
};
export default Proposals;

const About = ({ proposal }: { readonly proposal: Proposal }) => (
  <>
    <Facts
      rows={[
        [t('Action'), proposal.summary],
        [t('Author'), <ActorName key="author" id={proposal.createdBy} />],
        [t('Record'), proposal.resourceId],
      ]}
    />
    <Snapshots {...proposal.change} />
  </>
);
