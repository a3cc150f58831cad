import { t } from '../words.ts';
import type { Column } from './data-table.tsx';
import { Status } from './parts.tsx';

type Decided = { readonly status: string; readonly rejectionReason: string | null };

/** The status of a request that somebody approves or rejects, with the reason of a rejection. */
export const decisionColumn = (): Column<Decided> => ({
  key: 'status',
  head: t('Status'),
  sort: 'status',
  cell: ({ status, rejectionReason }) => (
    <>
      <Status status={status} />
      {rejectionReason && <small>{rejectionReason}</small>}
    </>
  ),
});
