import { useState } from 'react';
import { Link, useParams, useSearchParams } from 'wouter';
import type { Schemas } from '../../client/client.ts';
import { type Call, call } from '../api.ts';
import { ApiMenu } from '../components/api-menu.tsx';
import { Button } from '../components/button.tsx';
import { textColumn } from '../components/columns.tsx';
import { CommandDialog } from '../components/command-dialog.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { DocumentPreview } from '../components/document-preview.tsx';
import { Facts } from '../components/facts.tsx';
import { Loaded } from '../components/loaded.tsx';
import { NotesOf } from '../components/notes.tsx';
import { Status } from '../components/status.tsx';
import { Trail } from '../components/trail.tsx';
import { bodyOf, type Chosen, UploadField } from '../components/upload-field.tsx';
import { inOneLine } from '../components/use-address.tsx';
import { givenOf, useFields } from '../components/use-fields.tsx';
import { When } from '../components/values.tsx';
import { formatNumber } from '../format.ts';
import { may, useMe } from '../session.tsx';
import { ShownCall } from '../shown-calls.tsx';
import { useRead } from '../use-read.ts';
import { useTitle } from '../use-title.ts';
import { optionsOf } from '../values.ts';
import { t, tStatus } from '../words.ts';
import { FeesInfo } from './merchant/fees.tsx';
import { Split } from './merchant/split.tsx';
import { CompanyDialog } from './submerchant/company-dialog.tsx';

type Submerchant = Schemas['Submerchant'];
type Document = Schemas['SubmerchantDocument'];

const KINDS = ['identity', 'company_registration', 'address_proof', 'bank_proof', 'other'];

/** Moves of the credentialing that an operator may make. */
const MOVES: Readonly<Record<Submerchant['status'], readonly Submerchant['status'][]>> = {
  pre_approved: ['active', 'rejected'],
  active: ['blocked'],
  blocked: ['active'],
  rejected: ['pre_approved'],
};

const columns = (): readonly Column<Document>[] => [
  { key: 'type', head: t('Kind'), cell: ({ type }) => tStatus(type) },
  textColumn('fileName', t('File')),
  { key: 'size', head: t('Bytes'), isNumber: true, cell: ({ size }) => formatNumber(size) },
  {
    key: 'scan',
    head: t('Scan'),
    cell: ({ scanStatus, removedAt }) => (removedAt ? t('removed') : scanStatus ? tStatus(scanStatus) : '–'),
  },
  { key: 'createdAt', head: t('Uploaded'), cell: ({ createdAt }) => <When at={createdAt} /> },
];

const SubmerchantScreen = () => {
  const { id = '' } = useParams();
  const me = useMe();
  useTitle(t('Sub-merchant'));
  const path = { id };
  const read = me.merchant ? call('getSubmerchant', { path }) : call('getSubmerchantAsOperator', { path });
  return (
    <>
      <Trail to="/submerchants" title={t('Sub-merchants')} />
      <Loaded of={useRead(read)} lines={10}>
        {(company) => (
          <>
            <Head company={company} read={read} />
            <Review company={company} />
            <NotesOf resourceId={id} />
            {me.merchant && may(me, 'fees.read') && <FeesInfo merchantId={id} />}
            {(me.merchant === null || may(me, 'charges.read')) && <Split merchantId={id} />}
          </>
        )}
      </Loaded>
    </>
  );
};
export default SubmerchantScreen;

type Of = { readonly company: Submerchant };

const useMayDecide = (): boolean => {
  const me = useMe();
  return me.merchant === null && may(me, 'admin.merchants.update');
};

const Head = ({ company, read }: Of & { readonly read: Call }) => {
  const me = useMe();
  const mayDecide = useMayDecide();
  const [move, setMove] = useState<Submerchant['status'] | null>(null);
  const [isEditing, setEditing] = useState(false);
  const mayEdit = me.merchant?.id === company.masterId && may(me, 'submerchants.manage');
  return (
    <div className="heading">
      <h1>{company.legalName}</h1>
      <Status status={company.status} />
      <span className="space" />
      <ShownCall call={read} />
      <ApiMenu />
      {me.merchant === null && <Link href={`/merchants/${company.id}`}>{t('Fees, settings, keys')}</Link>}
      {mayDecide &&
        MOVES[company.status].map((status) => (
          <button key={status} type="button" onClick={() => setMove(status)}>
            {moveName(company.status, status)}
          </button>
        ))}
      {mayEdit && <Button label={t('Edit')} onClick={() => setEditing(true)} />}
      {isEditing && <CompanyDialog company={company} onClose={() => setEditing(false)} />}
      {move && <MoveDialog company={company} status={move} onClose={() => setMove(null)} />}
    </div>
  );
};

/** The form, and beside it the document that is shown. */
const Review = ({ company }: Of) => {
  const me = useMe();
  const mayDecide = useMayDecide();
  const [params, setParams] = useSearchParams();
  // A new sub-merchant goes on with its documents.
  const isNew = params.has('upload');
  const [isUploading, setUploading] = useState(isNew);
  const endUpload = (): void => {
    setUploading(false);
    if (isNew) setParams({}, { replace: true });
  };
  const [shown, setShown] = useState<Document | null>(null);
  const path = { id: company.id };
  return (
    <div className={shown ? 'beside' : undefined}>
      <div className="stack">
        <Facts
          rows={[
            [t('Id'), company.id],
            [t('E-mail'), company.email],
            [t('Tax id'), company.companyTaxId],
            [t('Phone'), company.phone],
            [t('Address'), inOneLine(company.address) || null],
            [t('Master'), company.masterId],
            [t('Reason'), company.statusReason],
            [t('Changed'), <When key="changed" at={company.updatedAt} />],
          ]}
        />
        <div className="toolbar">
          <h2>{t('Documents')}</h2>
          <span className="space" />
          {me.merchant && <Button label={t('Upload document')} onClick={() => setUploading(true)} />}
        </div>
        <DataTable
          list={
            me.merchant
              ? call('listSubmerchantDocuments', { path })
              : call('listSubmerchantDocumentsAsOperator', { path })
          }
          caption={t('Documents')}
          columns={columns()}
          csv="documents"
          empty={t('Documents for the review are shown here.')}
          actions={(document) =>
            mayDecide &&
            !document.removedAt && <Button label={t('Show')} onClick={() => setShown(document)} />
          }
        />
      </div>
      {shown && (
        <DocumentPreview
          key={shown.id}
          document={shown}
          read={call('downloadSubmerchantDocument', { path: { id: company.id, documentId: shown.id } })}
          onClose={() => setShown(null)}
        />
      )}
      {isUploading && <UploadDialog company={company} onClose={endUpload} />}
    </div>
  );
};

const moveName = (from: string, to: string): string =>
  ({
    active: from === 'blocked' ? t('Unblock') : t('Approve'),
    rejected: t('Reject'),
    blocked: t('Block'),
    pre_approved: t('Review again'),
  })[to] ?? to;

const MoveDialog = (props: Of & { readonly status: Submerchant['status']; readonly onClose: () => void }) => {
  const { company, status, onClose } = props;
  // The one that was seen when the dialog opened: a change meanwhile is refused.
  const [version] = useState(company.version);
  const { values, area } = useFields({ reason: '' });
  const name = moveName(company.status, status);
  return (
    <CommandDialog
      title={`${name}: ${company.legalName}`}
      action={name}
      isDestructive={status === 'rejected' || status === 'blocked'}
      call={call('setSubmerchantStatus', {
        path: { id: company.id },
        body: { status, version, ...givenOf(values) },
      })}
      onClose={onClose}
    >
      <p>
        {status === 'active'
          ? t('From now on it can sell and ask for payouts.')
          : t('It can neither sell nor be paid out while it is not active.')}
      </p>
      {area('reason', t('Reason'))}
    </CommandDialog>
  );
};

const UploadDialog = ({ company, onClose }: Of & { readonly onClose: () => void }) => {
  const { values, select } = useFields({ type: 'identity' });
  const [file, setFile] = useState<Chosen>(null);
  return (
    <CommandDialog
      title={t('Upload document')}
      action={t('Upload')}
      call={call('uploadSubmerchantDocument', {
        path: { id: company.id },
        body: { ...values, ...bodyOf(file) },
      })}
      isIncomplete={file === 'reading'}
      onClose={onClose}
    >
      <p>{t('PDF, PNG or JPEG, at most 10 MiB. It is kept encrypted, and only operators can read it.')}</p>
      {select('type', t('Kind'), optionsOf(KINDS))}
      <UploadField onChosen={setFile} />
    </CommandDialog>
  );
};
