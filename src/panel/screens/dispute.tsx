import { useState } from 'react';
import { Link, useParams } from 'wouter';
import type { Schemas } from '../../client/client.ts';
import { type Call, call } from '../api.ts';
import { ApiMenu } from '../components/api-menu.tsx';
import { Button } from '../components/button.tsx';
import { CommandDialog } from '../components/command-dialog.tsx';
import { DocumentPreview } from '../components/document-preview.tsx';
import { Facts } from '../components/facts.tsx';
import { Loaded } from '../components/loaded.tsx';
import { MerchantName } from '../components/merchant.tsx';
import { Status } from '../components/status.tsx';
import { Table } from '../components/table.tsx';
import { Trail } from '../components/trail.tsx';
import { bodyOf, type Chosen, UploadField } from '../components/upload-field.tsx';
import { useFields } from '../components/use-fields.tsx';
import { Money, When } from '../components/values.tsx';
import { formatMoney, formatNumber } from '../format.ts';
import { may, useMe } from '../session.tsx';
import { ShownCall } from '../shown-calls.tsx';
import { useRead } from '../use-read.ts';
import { useTitle } from '../use-title.ts';
import { EVIDENCE_TYPES, optionsOf } from '../values.ts';
import { t, tStatus } from '../words.ts';

type Dispute = Schemas['DisputeWithEvidence'];
type Evidence = Schemas['DisputeEvidence'];
type Of = { readonly dispute: Dispute };
type Closing = { readonly onClose: () => void };

const DisputeScreen = () => {
  const { id = '' } = useParams();
  useTitle(t('Dispute'));
  const read = call('getDispute', { path: { id } });
  return (
    <>
      <Trail to="/disputes" title={t('Disputes')} />
      <Loaded of={useRead(read)} lines={10}>
        {(dispute) => (
          <>
            <Head dispute={dispute} read={read} />
            <Defence dispute={dispute} />
          </>
        )}
      </Loaded>
    </>
  );
};
export default DisputeScreen;

const Head = ({ dispute, read }: Of & { readonly read: Call }) => {
  const me = useMe();
  const [outcome, setOutcome] = useState<'won' | 'lost' | null>(null);
  const [isSubmitting, setSubmitting] = useState(false);
  const isUndecided = dispute.state === 'open' || dispute.state === 'under_review';
  const mayDecide = me.merchant === null && may(me, 'admin.chargebacks.confirm') && isUndecided;
  const maySubmit = me.merchant !== null && dispute.state === 'open' && dispute.evidence.length > 0;
  return (
    <div className="heading">
      <h1>
        {t('Dispute')} {formatMoney(dispute.amount, dispute.currency)}
      </h1>
      <Status status={dispute.state} />
      <span className="space" />
      <ShownCall call={read} />
      <ApiMenu />
      {maySubmit && <Button label={t('Submit evidence')} onClick={() => setSubmitting(true)} />}
      {mayDecide && <Button label={t('Won')} onClick={() => setOutcome('won')} />}
      {mayDecide && <Button label={t('Lost')} onClick={() => setOutcome('lost')} />}
      {isSubmitting && <SubmitDialog dispute={dispute} onClose={() => setSubmitting(false)} />}
      {outcome && <DecisionDialog dispute={dispute} outcome={outcome} onClose={() => setOutcome(null)} />}
    </div>
  );
};

const SubmitDialog = ({ dispute, onClose }: Of & Closing) => (
  <CommandDialog
    title={t('Submit evidence')}
    call={call('submitDisputeEvidence', { path: { id: dispute.id } })}
    onClose={onClose}
  >
    <p>{t('Acquirers take evidence once: nothing can be attached afterwards.')}</p>
  </CommandDialog>
);

const DecisionDialog = (props: Of & Closing & { readonly outcome: 'won' | 'lost' }) => {
  const { dispute, outcome, onClose } = props;
  return (
    <CommandDialog
      title={t('Decision of the acquirer')}
      action={outcome === 'won' ? t('Won') : t('Lost')}
      isDestructive
      call={call('closeDispute', { path: { id: dispute.id }, body: { state: outcome } })}
      onClose={onClose}
    >
      <p>
        {outcome === 'won'
          ? t('The money is held in suspense until two operators book it to the merchant.')
          : t('The money stays with the payer.')}
      </p>
    </CommandDialog>
  );
};

/** The facts with the evidence, and beside them the document that is shown. */
const Defence = ({ dispute }: Of) => {
  const [shown, setShown] = useState<Evidence | null>(null);
  return (
    <div className={shown ? 'beside' : undefined}>
      <div className="stack">
        <DisputeFacts dispute={dispute} />
        <EvidenceTable dispute={dispute} onShow={setShown} />
      </div>
      {shown && (
        <DocumentPreview
          key={shown.id}
          document={shown}
          read={call('downloadDisputeEvidence', { path: { id: dispute.id, documentId: shown.id } })}
          onClose={() => setShown(null)}
        />
      )}
    </div>
  );
};

const DisputeFacts = ({ dispute }: Of) => {
  const { fee, delivery } = dispute;
  return (
    <Facts
      rows={[
        [t('Id'), dispute.id],
        [
          t('Charge'),
          <Link key="charge" href={`/charges/${dispute.chargeId}`}>
            {dispute.chargeId}
          </Link>,
        ],
        [t('Merchant'), <MerchantName key="merchant" id={dispute.merchantId} />],
        [t('Kind'), tStatus(dispute.kind)],
        [t('Amount'), <Money key="amount" amount={dispute.amount} currency={dispute.currency} />],
        [t('Fee'), fee && <Money key="fee" amount={fee.amount} currency={fee.currency} />],
        [t('Since'), <When key="since" at={dispute.createdAt} />],
        [t('Decided'), <When key="decided" at={dispute.closedAt} />],
        [t('Way of the evidence'), delivery && <Status key="delivery" status={delivery.status} />],
        [t('Reason'), delivery?.reason ?? null],
      ]}
    />
  );
};

const EvidenceTable = ({ dispute, onShow }: Of & { readonly onShow: (document: Evidence) => void }) => {
  const me = useMe();
  const [isUploading, setUploading] = useState(false);
  const mayAttach = me.merchant !== null && (dispute.state === 'announced' || dispute.state === 'open');
  return (
    <>
      <div className="toolbar">
        <h2>{t('Evidence')}</h2>
        <span className="space" />
        {mayAttach && <Button label={t('Attach evidence')} onClick={() => setUploading(true)} />}
      </div>
      {dispute.evidence.length === 0 ? (
        <p>{t('No evidence is attached.')}</p>
      ) : (
        <Table
          caption={t('Evidence')}
          heads={[t('Kind'), t('File'), { number: t('Bytes') }, t('Scan'), t('Uploaded'), t('Content')]}
          rows={dispute.evidence.map((document) => ({
            key: document.id,
            cells: [
              tStatus(document.type),
              document.fileName,
              formatNumber(document.size),
              document.scanStatus ? tStatus(document.scanStatus) : '–',
              <When key="at" at={document.createdAt} />,
              contentCell(document, me.merchant === null ? onShow : null),
            ],
          }))}
        />
      )}
      {isUploading && <UploadDialog dispute={dispute} onClose={() => setUploading(false)} />}
    </>
  );
};

const contentCell = (document: Evidence, onShow: ((document: Evidence) => void) | null) => {
  if (document.removedAt) return t('removed');
  return onShow ? <Button label={t('Show')} onClick={() => onShow(document)} /> : '–';
};

const UploadDialog = ({ dispute, onClose }: Of & Closing) => {
  const { values, select } = useFields({ type: 'receipt' });
  const [file, setFile] = useState<Chosen>(null);
  return (
    <CommandDialog
      title={t('Attach evidence')}
      action={t('Upload')}
      call={call('attachDisputeEvidence', { path: { id: dispute.id }, body: { ...values, ...bodyOf(file) } })}
      isIncomplete={file === 'reading'}
      onClose={onClose}
    >
      <p>{t('PDF, PNG or JPEG, at most 10 MiB. It is kept encrypted, and only operators can read it.')}</p>
      <p>{t('It takes the place of an earlier document of its kind.')}</p>
      {select('type', t('Kind'), optionsOf(EVIDENCE_TYPES))}
      <UploadField onChosen={setFile} />
    </CommandDialog>
  );
};
