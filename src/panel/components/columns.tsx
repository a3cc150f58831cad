import type { ReactNode } from 'react';
import { type Me, seesSeveral } from '../session.tsx';
import { t } from '../words.ts';
import type { Column } from './data-table.tsx';
import { MerchantName } from './merchant.tsx';
import { Status } from './status.tsx';
import { Money, Text, When } from './values.tsx';

type More = Partial<Pick<Column<never>, 'sort' | 'isExtra'>>;
type With<Key extends string, Value> = { readonly [Name in Key]: Value };
type ColumnOf<Value> = <Key extends string>(key: Key, head: string, more?: More) => Column<With<Key, Value>>;

/** A member that is text. Lists can be ordered by it where `more` says so. */
export const textColumn: ColumnOf<string | null> = (key, head, more = {}) => ({
  key,
  head,
  cell: (row) => row[key] ?? '–',
  ...more,
});

/** A member that is a time, by which lists can be ordered. */
export const timeColumn: ColumnOf<string | null> = (key, head, more = {}) => ({
  key,
  head,
  sort: key,
  cell: (row) => <When at={row[key]} />,
  ...more,
});

/** A member that is an amount in the row's currency. */
export const moneyColumn = <Key extends string>(
  key: Key,
  head: string,
  more: More = {},
): Column<With<Key, number> & { readonly currency: string }> => ({
  key,
  head,
  isNumber: true,
  cell: (row) => <Money amount={row[key]} currency={row.currency} />,
  ...more,
});

/** A status, by which the list can be ordered unless `more` says otherwise. */
export const statusColumn = (more: More = { sort: 'status' }): Column<{ readonly status: string }> => ({
  key: 'status',
  head: t('Status'),
  cell: ({ status }) => <Status status={status} />,
  ...more,
});

/** The status of a request that somebody approves or rejects, with the reason of a rejection. */
export const decisionColumn = (): Column<{
  readonly status: string;
  readonly rejectionReason: string | null;
}> => ({
  key: 'status',
  head: t('Status'),
  sort: 'status',
  cell: ({ status, rejectionReason }) => (
    <TwoLines first={<Status status={status} />} second={rejectionReason} />
  ),
});

/** Shows one thing, and below it in small letters another. */
export const TwoLines = (props: { readonly first: ReactNode; readonly second: ReactNode }) => (
  <>
    <Text of={props.first} />
    {props.second && (
      <small>
        <Text of={props.second} />
      </small>
    )}
  </>
);

/** The merchant by its name, with the id in small letters. */
export const merchantColumn = (more: More = {}): Column<With<'merchantId', string>> => ({
  key: 'merchantId',
  head: t('Merchant'),
  cell: ({ merchantId }) => <MerchantName id={merchantId} />,
  ...more,
});

/** The column of the merchant for users who see records of several; none for others. */
export const merchantColumns = (me: Me, more: More = {}): readonly Column<With<'merchantId', string>>[] =>
  seesSeveral(me) ? [merchantColumn(more)] : [];
