import { tEvent } from '../event-words.ts';
import { t } from '../words.ts';
import { TwoLines } from './columns.tsx';
import type { Column } from './data-table.tsx';

/** An event in words, with its name for programs in small letters. */
export const eventColumn = (): Column<{ readonly event: string }> => ({
  key: 'event',
  head: t('Event'),
  sort: 'event',
  cell: ({ event }) => <TwoLines first={tEvent(event)} second={event} />,
});
