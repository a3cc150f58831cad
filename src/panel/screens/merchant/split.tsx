import { useState } from 'react';
import type { Schemas } from '../../../client/client.ts';
import { call } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { type Change, Changes } from '../../components/changes.tsx';
import { CommandDialog } from '../../components/command-dialog.tsx';
import { Field, Select } from '../../components/field.tsx';
import { Panel } from '../../components/loaded.tsx';
import { amountOf } from '../../components/money-field.tsx';
import { Table } from '../../components/table.tsx';
import { useChecks, useFields } from '../../components/use-fields.tsx';
import { Money } from '../../components/values.tsx';
import { formatNumber, formatPercent } from '../../format.ts';
import { may, useMe } from '../../session.tsx';
import { optionsOf, PAYMENT_METHODS } from '../../values.ts';
import { t, tStatus } from '../../words.ts';
import { sampleParts } from './price.ts';

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
  const change = <Button label={t('Change split')} onClick={() => setEditing(true)} />;
  return (
    <Panel
      title={t('Default split')}
      call={
        me.merchant
          ? call('getOwnDefaultSplit', { query: { merchantId } })
          : call('getDefaultSplit', { path: { id: merchantId } })
      }
      buttons={may(me, 'admin.merchants.update') && change}
    >
      {(split) => (
        <>
          <Sample rules={rulesOf(split)} />
          {isEditing && (
            <SplitDialog merchantId={merchantId} stored={rulesOf(split)} onClose={() => setEditing(false)} />
          )}
        </>
      )}
    </Panel>
  );
};

/** Divides a net amount in BRL by each rule. */
const Sample = ({ rules }: { readonly rules: Rules }) => {
  const { values, money } = useFields({ net: '100' });
  return (
    <>
      {money('net', t('Net amount of a sample charge in BRL'), 'BRL')}
      {Object.entries(rules).map(([rule, entries]) => (
        <RuleTable key={rule} name={nameOf(rule)} entries={entries} net={amountOf(values.net, 'BRL') ?? 0} />
      ))}
    </>
  );
};

const RuleTable = (props: {
  readonly name: string;
  readonly entries: readonly Entry[];
  readonly net: number;
}) => {
  const { name, entries, net } = props;
  const divided = sampleParts(net, 'BRL', entries);
  const own = entries.reduce((rest, { percentage }) => rest - Math.round(percentage * 10_000), 1_000_000);
  return (
    <Table
      caption={name}
      heads={[name, { number: '%' }, { number: t('Amount') }]}
      rows={[
        ...entries.map(({ merchantId, percentage }, index) => ({
          // A merchant may be typed twice before the API refuses it.
          key: String(index),
          cells: [
            merchantId,
            formatNumber(percentage),
            divided && <Money key="amount" amount={divided.parts[index] ?? 0} currency="BRL" />,
          ],
        })),
        {
          key: 'own',
          isTotal: true,
          cells: [
            t('Stays with the seller'),
            formatNumber(own / 10_000),
            divided ? <Money key="own" amount={divided.own} currency="BRL" /> : t('More than 100 %'),
          ],
        },
      ]}
    />
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
    : entries.map(({ merchantId, percentage }) => `${merchantId} ${formatPercent(percentage)}`).join('; ') ||
      t('no split');

const changesOf = (stored: Rules, rules: Rules): readonly Change[] =>
  ['default', ...PAYMENT_METHODS].map((rule) => [nameOf(rule), textOf(stored[rule]), textOf(rules[rule])]);

const SplitDialog = (props: {
  readonly merchantId: string;
  readonly stored: Rules;
  readonly onClose: () => void;
}) => {
  const { merchantId, stored, onClose } = props;
  const [rows, setRows] = useState(rowsOf(stored));
  const [next, setNext] = useState(rows.length);
  const [unsplit, methodChecks] = useChecks(
    'byPaymentMethod',
    t('Methods without a split'),
    optionsOf(PAYMENT_METHODS),
    PAYMENT_METHODS.filter((method) => stored[method]?.length === 0),
  );
  const rules = typedRules(rows, unsplit);
  const { default: entries, ...byPaymentMethod } = rules;
  return (
    <CommandDialog
      title={t('Change split')}
      action={t('Save split')}
      isWide
      call={call('replaceDefaultSplit', {
        path: { id: merchantId },
        body: { default: entries, byPaymentMethod },
      })}
      onClose={onClose}
    >
      <p>{t('Counts for later charges that bring no split of their own.')}</p>
      {rows.map((row, index) => (
        <PartFields
          key={row.key}
          row={row}
          index={index}
          at={pathOf(rows, index)}
          onChange={(changed) => setRows(rows.map((one) => (one.key === row.key ? changed : one)))}
          onRemove={() => setRows(rows.filter(({ key }) => key !== row.key))}
        />
      ))}
      <Button
        label={t('Add part')}
        onClick={() => {
          setRows([...rows, { key: next, rule: 'default', merchantId: '', percentage: '' }]);
          setNext(next + 1);
        }}
      />
      {methodChecks}
      <Changes of={changesOf(stored, rules)} />
      <Sample rules={rules} />
    </CommandDialog>
  );
};

/** Where the body has a row: its rule, and its position there. */
const pathOf = (rows: readonly Row[], index: number): string => {
  const rule = rows[index]?.rule ?? '';
  const position = rows.slice(0, index).filter((row) => row.rule === rule).length;
  return `${rule === 'default' ? '' : 'byPaymentMethod.'}${rule}.${position}`;
};

const PartFields = (props: {
  readonly row: Row;
  readonly index: number;
  readonly at: string;
  readonly onChange: (row: Row) => void;
  readonly onRemove: () => void;
}) => {
  const { row, index, at, onChange, onRemove } = props;
  const part = (name: 'merchantId' | 'percentage') => ({
    name: `${at}.${name}`,
    value: row[name],
    onText: (text: string) => onChange({ ...row, [name]: text }),
  });
  return (
    <fieldset className="row">
      <legend>{t('Part {number}', { number: String(index + 1) })}</legend>
      <Select
        label={t('Method')}
        name="rule"
        value={row.rule}
        onText={(rule) => onChange({ ...row, rule })}
        options={[{ value: 'default', label: nameOf('default') }, ...optionsOf(PAYMENT_METHODS)]}
      />
      <Field {...part('merchantId')} label={t('Merchant')} placeholder="mer_…" required />
      <Field
        {...part('percentage')}
        label={t('Per cent')}
        type="number"
        min="0"
        max="100"
        step="0.0001"
        required
      />
      <Button label={t('Remove')} className="quiet" onClick={onRemove} />
    </fieldset>
  );
};
