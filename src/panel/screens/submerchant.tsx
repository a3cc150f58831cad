import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link, useParams } from 'wouter';
import { ask, download } from '../api.ts';
import { CommandDialog } from '../components/command-dialog.tsx';
import { save } from '../components/csv-button.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Select, TextArea } from '../components/field.tsx';
import { CopyAsCurl, Facts, Problem, Skeleton, Status, When } from '../components/parts.tsx';
import { formatNumber } from '../format.ts';
import { may, useMe } from '../session.tsx';
import { useTitle } from '../use-title.ts';
import { t, tStatus } from '../words.ts';
import { FeesInfo } from './merchant/fees.tsx';
import { Split } from './merchant/split.tsx';
import type { Submerchant } from './submerchants.tsx';

type Document = {
  readonly id: string;
  readonly type: string;
  readonly fileName: string;
  readonly contentType: string;
  readonly size: number;
  readonly scanStatus?: string;
  readonly removedAt?: string;
  readonly createdAt: string;
};

const KINDS = ['identity', 'company_registration', 'address_proof', 'bank_proof', 'other'];

/** Moves of the credentialing that an operator may make. */
const MOVES: Readonly<Record<string, readonly string[]>> = {
  pre_approved: ['active', 'rejected'],
  active: ['blocked'],
  blocked: ['active'],
  rejected: ['pre_approved'],
};

const columns = (): readonly Column<Document>[] => [
  { key: 'type', head: t('Kind'), cell: ({ type }) => tStatus(type) },
  { key: 'fileName', head: t('File'), cell: ({ fileName }) => fileName },
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
  const base = `${me.merchant ? '/v1' : '/v1/admin'}/submerchants/${encodeURIComponent(id)}`;
  const [move, setMove] = useState<string | null>(null);
  const [isUploading, setUploading] = useState(false);
  const [shown, setShown] = useState<Document | null>(null);
  useTitle(t('Sub-merchant'));
  const call = { path: base };
  const found = useQuery({ queryKey: [base], queryFn: () => ask<Submerchant>(call) });
  if (found.isPending) return <Skeleton lines={10} />;
  if (found.error) return <Problem error={found.error} onRetry={() => found.refetch()} />;
  const company = found.data;
  const mayDecide = me.merchant === null && may(me, 'admin.merchants.update');
  return (
    <>
      <p className="trail">
        <Link href="/submerchants">{t('Sub-merchants')}</Link>
      </p>
      <div className="heading">
        <h1>{company.legalName}</h1>
        <Status status={company.status} />
        <span className="space" />
        <CopyAsCurl call={call} />
        {me.merchant === null && <Link href={`/merchants/${company.id}`}>{t('Fees, settings, keys')}</Link>}
        {mayDecide &&
          MOVES[company.status]?.map((status) => (
            <button key={status} type="button" onClick={() => setMove(status)}>
              {moveName(company.status, status)}
            </button>
          ))}
      </div>
      <div className={shown ? 'beside' : undefined}>
        <div className="stack">
          <Facts
            rows={[
              [t('Id'), company.id],
              [t('E-mail'), company.email],
              [t('Tax id'), company.companyTaxId],
              [t('Phone'), company.phone],
              [t('Master'), company.masterId],
              [t('Reason'), company.statusReason],
              [t('Changed'), <When key="changed" at={company.updatedAt} />],
            ]}
          />
          <div className="toolbar">
            <h2>{t('Documents')}</h2>
            <span className="space" />
            {me.merchant && (
              <button type="button" onClick={() => setUploading(true)}>
                {t('Upload document')}
              </button>
            )}
          </div>
          <DataTable
            path={`${base}/documents`}
            caption={t('Documents')}
            columns={columns()}
            empty={t('Documents for the review are shown here.')}
            actions={(document) =>
              mayDecide &&
              !document.removedAt && (
                <button type="button" onClick={() => setShown(document)}>
                  {t('Show')}
                </button>
              )
            }
          />
        </div>
        {shown && (
          <Preview
            key={shown.id}
            path={`${base}/documents/${shown.id}`}
            document={shown}
            onClose={() => setShown(null)}
          />
        )}
      </div>
      {me.merchant && may(me, 'fees.read') && <FeesInfo merchantId={company.id} />}
      {(me.merchant === null || may(me, 'charges.read')) && <Split merchantId={company.id} />}
      {move && <MoveDialog company={company} status={move} onClose={() => setMove(null)} />}
      {isUploading && <UploadDialog path={`${base}/documents`} onClose={() => setUploading(false)} />}
    </>
  );
};
export default SubmerchantScreen;

const moveName = (from: string, to: string): string =>
  ({
    active: from === 'blocked' ? t('Unblock') : t('Approve'),
    rejected: t('Reject'),
    blocked: t('Block'),
    pre_approved: t('Review again'),
  })[to] ?? to;

const MoveDialog = (props: {
  readonly company: Submerchant;
  readonly status: string;
  readonly onClose: () => void;
}) => {
  const { company, status, onClose } = props;
  // The one that was seen when the dialog opened: a change meanwhile is refused.
  const [version] = useState(company.version);
  const [reason, setReason] = useState('');
  const name = moveName(company.status, status);
  return (
    <CommandDialog
      title={`${name}: ${company.legalName}`}
      action={name}
      isDestructive={status === 'rejected' || status === 'blocked'}
      call={{
        method: 'POST',
        path: `/v1/admin/submerchants/${company.id}/status`,
        body: { status, version, ...(reason ? { reason } : {}) },
      }}
      onClose={onClose}
    >
      {(error) => (
        <>
          <p>
            {status === 'active'
              ? t('From now on it can sell and ask for payouts.')
              : t('It can neither sell nor be paid out while it is not active.')}
          </p>
          <TextArea label={t('Reason')} name="reason" value={reason} onText={setReason} error={error} />
        </>
      )}
    </CommandDialog>
  );
};

const UploadDialog = ({ path, onClose }: { readonly path: string; readonly onClose: () => void }) => {
  const [type, setType] = useState('identity');
  const [file, setFile] = useState<File | null>(null);
  const body = new FormData();
  body.append('type', type);
  if (file) body.append('file', file);
  return (
    <CommandDialog
      title={t('Upload document')}
      action={t('Upload')}
      call={{ method: 'POST', path, body }}
      onClose={onClose}
    >
      {(error) => (
        <>
          <p>
            {t('PDF, PNG or JPEG, at most 10 MiB. It is kept encrypted, and only operators can read it.')}
          </p>
          <Select
            label={t('Kind')}
            name="type"
            value={type}
            onText={setType}
            options={KINDS.map((value) => ({ value, label: tStatus(value) }))}
            error={error}
          />
          <div className="field">
            <label htmlFor="document-file">{t('File')}</label>
            <input
              id="document-file"
              type="file"
              accept=".pdf,.png,.jpg,.jpeg"
              required
              onChange={({ target }) => setFile(target.files?.[0] ?? null)}
            />
          </div>
        </>
      )}
    </CommandDialog>
  );
};

/** A picture beside the form; a PDF is saved, as the policy lets nothing run within this page. */
const Preview = (props: {
  readonly path: string;
  readonly document: Document;
  readonly onClose: () => void;
}) => {
  const { path, document, onClose } = props;
  const content = useQuery({ queryKey: [path], queryFn: () => download({ path, accept: '*/*' }) });
  const [url, setUrl] = useState<string | null>(null);
  const isPicture = document.contentType.startsWith('image/');
  useEffect(() => {
    if (!content.data || !isPicture) return;
    const made = URL.createObjectURL(content.data);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [content.data, isPicture]);
  return (
    <aside aria-label={document.fileName}>
      <div className="toolbar">
        <h2>{document.fileName}</h2>
        <span className="space" />
        {content.data && (
          <button type="button" onClick={() => save(content.data, document.fileName)}>
            {t('Save')}
          </button>
        )}
        <button type="button" className="quiet" onClick={onClose}>
          {t('Close')}
        </button>
      </div>
      {content.isPending && <Skeleton lines={6} />}
      {content.error && <Problem error={content.error} onRetry={() => content.refetch()} />}
      {url && <img src={url} alt={document.fileName} />}
      {content.data && !isPicture && <p>{t('Save it to read it: this window opens no PDF.')}</p>}
    </aside>
  );
};
