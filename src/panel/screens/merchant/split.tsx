import { useQuery } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import type { Schemas } from '../../../client/client.ts';
import { ask } from '../../api.ts';
import { type Change, Changes } from '../../components/changes.tsx';
import { CommandDialog } from '../../components/command-dialog.tsx';
import { Checks, Field, Select } from '../../components/field.tsx';
import { CopyAsCurl, Money, Problem, Skeleton } from '../../components/parts.tsx';
import { formatNumber } from '../../format.ts';
import { may, useMe } from '../../session.tsx';
import { optionsOf, PAYMENT_METHODS } from '../../values.ts';
import { t, tStatus } from '../../words.ts';
import { divide } from './price.ts';

type DefaultSplit = Schemas['DefaultSplit'];
type Entry = DefaultSplit['default'][number];
/** Entries by payment method; those of `default` stand for each method that is not named. */
type Rules = Readonly<Record<string, readonly Entry[]>>;

const rulesOf = ({ default: entries, byPaymentMethod }: DefaultSplit): Rules => ({
  default: entries,
  ...(byPaymentMethod as Rules),
});
const nameOf = (rule: string): string => (rule === 'default' ? t('Methods not named') : tStatus(rule));

/** The split of charges that bring none of their own, with a sample amount divided to the cent. */
export const Split = ({ merchantId }: { readonly merchantId: string }) => {
  const me = useMe();
  const [isEditing, setEditing] = useState(false);
  const path = `/v1/admin/merchants/${merchantId}/split`;
  const call = me.merchant ? { path: '/v1/default-split', query: { merchantId } } : { path };
  const found = useQuery({ queryKey: [path], queryFn: () => ask<DefaultSplit>(call) });
  if (found.isPending) return <Skeleton lines={5} />;
  if (found.error) return <Problem error={found.error} onRetry={() => found.refetch()} />;
  const rules = rulesOf(found.data);
  return (
    <section>
      <div className="toolbar">
        <h2>{t('Default split')}</h2>
        <span className="space" />
        <CopyAsCurl call={call} />
        {may(me, 'admin.merchants.update') && (
          <button type="button" onClick={() => setEditing(true)}>
            {t('Change split')}
          </button>
        )}
      </div>
      <Sample rules={rules} />
      {isEditing && <SplitDialog path={path} stored={rules} onClose={() => setEditing(false)} />}
    </section>
  );
};

/** Divides a net amount in BRL by each rule. */
const Sample = ({ rules }: { readonly rules: Rules }) => {
  const [net, setNet] = useState('100');
  return (
    <>
      <Field
        label={t('Net amount of a sample charge in BRL')}
        name="net"
        type="number"
        min="0"
        step="0.01"
        value={net}
        onText={setNet}
      />
      <div className="scroll">
        <table>
          <caption>{t('Default split')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('Merchant')}</th>
              <th scope="col" className="number">
                %
              </th>
              <th scope="col" className="number">
                {t('Amount')}
              </th>
            </tr>
          </thead>
          <tbody>
            {Object.entries(rules).map(([rule, entries]) => (
              <RuleRows key={rule} name={nameOf(rule)} entries={entries} net={Number(net)} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
};

const RuleRows = (props: {
  readonly name: string;
  readonly entries: readonly Entry[];
  readonly net: number;
}) => {
  const { name, entries, net } = props;
  const divided = divide(net, 'BRL', entries);
  const own = entries.reduce((rest, { percentage }) => rest - Math.round(percentage * 10_000), 1_000_000);
  return (
    <Fragment>
      <tr>
        <th scope="rowgroup" colSpan={3}>
          <strong>{name}</strong>
        </th>
      </tr>
      {entries.map(({ merchantId, percentage }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a merchant may be typed twice before the API refuses it
        <tr key={index}>
          <td>{merchantId}</td>
          <td className="number">{formatNumber(percentage)}</td>
          <td className="number">{divided && <Money amount={divided.parts[index] ?? 0} currency="BRL" />}</td>
        </tr>
      ))}
      <tr className="total">
        <td>{t('Stays with the seller')}</td>
        <td className="number">{formatNumber(own / 10_000)}</td>
        <td className="number">
          {divided ? <Money amount={divided.own} currency="BRL" /> : t('More than 100 %')}
        </td>
      </tr>
    </Fragment>
  );
};

/** A participant as it is typed. */
type Row = {
  readonly key: number;
  readonly rule: string;
  readonly merchantId: string;
  readonly percentage: string;
};

const rowsOf = (rules: Rules): readonly Row[] =>
  Object.entries(rules)
    .flatMap(([rule, entries]) => entries.map((entry) => ({ rule, entry })))
    .map(({ rule, entry }, key) => ({
      key,
      rule,
      merchantId: entry.merchantId,
      percentage: String(entry.percentage),
    }));

/** Rules of the rows; a method that was named before and has no row any more is no rule. */
const typedRules = (rows: readonly Row[], unsplit: readonly string[]): Rules => {
  const rules: Record<string, Entry[]> = {
    default: [],
    ...Object.fromEntries(unsplit.map((method) => [method, []])),
  };
  for (const { rule, merchantId, percentage } of rows) {
    const entries = rules[rule] ?? [];
    rules[rule] = [...entries, { merchantId: merchantId.trim(), percentage: Number(percentage) }];
  }
  return rules;
};

const textOf = (entries: readonly Entry[] | undefined): string =>
  entries === undefined
    ? ''
    : entries.map(({ merchantId, percentage }) => `${merchantId} ${formatNumber(percentage)} %`).join('; ') ||
      t('no split');

const changesOf = (stored: Rules, rules: Rules): readonly Change[] =>
  ['default', ...PAYMENT_METHODS].map((rule) => [nameOf(rule), textOf(stored[rule]), textOf(rules[rule])]);

const SplitDialog = (props: {
  readonly path: string;
  readonly stored: Rules;
  readonly onClose: () => void;
}) => {
  const { path, stored, onClose } = props;
  const [rows, setRows] = useState(rowsOf(stored));
  const [next, setNext] = useState(rows.length);
  const [unsplit, setUnsplit] = useState<readonly string[]>(
    PAYMENT_METHODS.filter((method) => stored[method]?.length === 0),
  );
  const rules = typedRules(rows, unsplit);
  const { default: entries, ...byPaymentMethod } = rules;
  const change = (key: number, changes: Partial<Row>): void =>
    setRows(rows.map((row) => (row.key === key ? { ...row, ...changes } : row)));
  return (
    <CommandDialog
      title={t('Change split')}
      action={t('Save split')}
      isWide
      call={{ method: 'PUT', path, body: { default: entries, byPaymentMethod } }}
      onClose={onClose}
    >
      {(error) => (
        <>
          <p>{t('Counts for later charges that bring no split of their own.')}</p>
          {rows.map((row, index) => {
            const position = rows.slice(0, index).filter(({ rule }) => rule === row.rule).length;
            const at = `${row.rule === 'default' ? '' : 'byPaymentMethod.'}${row.rule}.${position}`;
            return (
              <fieldset key={row.key} className="row">
                <legend>{t('Part {number}', { number: String(index + 1) })}</legend>
                <Select
                  label={t('Method')}
                  name="rule"
                  value={row.rule}
                  onText={(rule) => change(row.key, { rule })}
                  options={[{ value: 'default', label: nameOf('default') }, ...optionsOf(PAYMENT_METHODS)]}
                />
                <Field
                  label={t('Merchant')}
                  name={`${at}.merchantId`}
                  value={row.merchantId}
                  onText={(merchantId) => change(row.key, { merchantId })}
                  placeholder="mer_…"
                  required
                  error={error}
                />
                <Field
                  label={t('Per cent')}
                  name={`${at}.percentage`}
                  value={row.percentage}
                  onText={(percentage) => change(row.key, { percentage })}
                  type="number"
                  min="0"
                  max="100"
                  step="0.0001"
                  required
                  error={error}
                />
                <button
                  type="button"
                  className="quiet"
                  onClick={() => setRows(rows.filter(({ key }) => key !== row.key))}
                >
                  {t('Remove')}
                </button>
              </fieldset>
            );
          })}
          <button
            type="button"
            onClick={() => {
              setRows([...rows, { key: next, rule: 'default', merchantId: '', percentage: '' }]);
              setNext(next + 1);
            }}
          >
            {t('Add part')}
          </button>
          <Checks
            label={t('Methods without a split')}
            name="byPaymentMethod"
            options={optionsOf(PAYMENT_METHODS)}
            chosen={unsplit}
            onChange={setUnsplit}
          />
          <Changes of={changesOf(stored, rules)} />
          <Sample rules={rules} />
        </>
      )}
    </CommandDialog>
  );
};
