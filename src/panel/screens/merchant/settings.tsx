import { useState } from 'react';
import type { Schemas } from '../../../client/client.ts';
import { asTyped } from '../../amount.ts';
import { call } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { Changes } from '../../components/changes.tsx';
import { TwoLines, timeColumn } from '../../components/columns.tsx';
import { CommandDialog } from '../../components/command-dialog.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Field, Select, TextArea } from '../../components/field.tsx';
import { amountOf, MoneyField } from '../../components/money-field.tsx';
import { digitsOf } from '../../format.ts';
import { may, useMe } from '../../session.tsx';
import { optionsOf, PAYMENT_METHODS } from '../../values.ts';
import { t, tStatus } from '../../words.ts';
import { settingInWords, settingName } from './setting-text.ts';

type Setting = Schemas['Setting'];

export const settingColumns = (): readonly Column<Setting>[] => [
  {
    key: 'name',
    head: t('Name'),
    sort: 'name',
    cell: ({ name }) => <TwoLines first={settingName(name)} second={name} />,
  },
  {
    key: 'content',
    head: t('Content'),
    cell: ({ name, content }) => settingInWords(name, content),
  },
  timeColumn('updatedAt', t('Changed')),
];

/** Settings of a merchant; the gateway's defaults without one. */
export const Settings = ({ merchantId }: { readonly merchantId: string | null }) => {
  const mayChange = may(useMe(), 'admin.merchants.update');
  const [changed, setChanged] = useState<Setting | 'new' | null>(null);
  const [removed, setRemoved] = useState<Setting | null>(null);
  const actions = (setting: Setting) =>
    mayChange && (
      <>
        <Button label={t('Edit')} onClick={() => setChanged(setting)} />
        {merchantId !== null && (
          <Button label={t('Remove')} className="destructive" onClick={() => setRemoved(setting)} />
        )}
      </>
    );
  return (
    <>
      {mayChange && (
        <div className="toolbar">
          <Button label={t('Set')} onClick={() => setChanged('new')} />
        </div>
      )}
      <DataTable
        list={
          merchantId === null
            ? call('listDefaultSettings')
            : call('listMerchantSettings', { path: { id: merchantId } })
        }
        caption={t('Settings')}
        columns={settingColumns()}
        csv="settings"
        empty={
          merchantId === null
            ? t('Settings for every merchant without one of its own are shown here.')
            : t('Nothing of its own is set: the defaults count.')
        }
        actions={actions}
      />
      {changed && (
        <SettingDialog
          merchantId={merchantId}
          former={changed === 'new' ? null : changed}
          onClose={() => setChanged(null)}
        />
      )}
      {removed && merchantId !== null && (
        <CommandDialog
          title={t('Remove setting')}
          action={t('Remove')}
          isDestructive
          call={call('removeMerchantSetting', { path: { id: merchantId, name: removed.name } })}
          onClose={() => setRemoved(null)}
        >
          <p>{t('The default of {name} counts again.', { name: settingName(removed.name) })}</p>
        </CommandDialog>
      )}
    </>
  );
};

/** Settings that are on or off. */
const SWITCHES = ['enable_connect', 'reads_own_writes', 'unique_references'];
const KNOWN = ['settlement_delay_days', 'chargeback_alert_fee', ...SWITCHES];
const OTHER = 'other';

/** Texts of the fields; the members that count depend on the name. */
type Typed = Readonly<Record<string, string>>;

const typedOf = (name: string, content: unknown): Typed => {
  if (name === 'chargeback_alert_fee') {
    const { amount, currency } = content as Schemas['ChargebackAlertFeeSetting']['content'];
    return { amount: asTyped(amount, digitsOf(currency)), currency };
  }
  if (name === 'settlement_delay_days')
    return Object.fromEntries(
      Object.entries(content ?? {}).map(([member, value]) => [member, String(value)]),
    );
  return SWITCHES.includes(name)
    ? { on: String(content ?? true) }
    : { json: JSON.stringify(content, null, 2) };
};

const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
};

const contentOf = (name: string, typed: Typed): unknown => {
  if (name === 'settlement_delay_days')
    return Object.fromEntries(
      PAYMENT_METHODS.filter((method) => typed[method]).map((method) => [method, Number(typed[method])]),
    );
  if (name === 'chargeback_alert_fee')
    return {
      amount: amountOf(typed.amount ?? '', typed.currency ?? 'BRL'),
      currency: typed.currency ?? 'BRL',
    };
  return SWITCHES.includes(name) ? typed.on !== 'false' : parsed(typed.json ?? 'null');
};

const SettingDialog = (props: {
  readonly merchantId: string | null;
  readonly former: Setting | null;
  readonly onClose: () => void;
}) => {
  const { merchantId, former, onClose } = props;
  const isKnown = former === null || KNOWN.includes(former.name);
  const [kind, setKind] = useState(isKnown ? (former?.name ?? 'settlement_delay_days') : OTHER);
  const [otherName, setOtherName] = useState(isKnown ? '' : (former?.name ?? ''));
  const [typed, setTyped] = useState<Typed>(former ? typedOf(former.name, former.content) : {});
  const name = kind === OTHER ? otherName : kind;
  const content = contentOf(kind, typed);
  const body = { name, content };
  return (
    <CommandDialog
      title={t('Set')}
      action={t('Save')}
      call={
        merchantId === null
          ? call('setDefaultSetting', { body })
          : call('setMerchantSetting', { path: { id: merchantId }, body })
      }
      onClose={onClose}
    >
      <Select
        label={t('Setting')}
        name="kind"
        value={kind}
        onText={(next) => {
          setKind(next);
          setTyped({});
        }}
        options={[...KNOWN.map((value) => ({ value, label: settingName(value) })), ...optionsOf([OTHER])]}
      />
      {kind === OTHER && (
        <Field label={t('Name')} name="name" value={otherName} onText={setOtherName} required />
      )}
      <ContentFields
        kind={kind}
        typed={typed}
        onText={(member, text) => setTyped({ ...typed, [member]: text })}
      />
      <Changes
        of={[
          [
            settingName(name),
            former ? settingInWords(name, former.content) : '',
            settingInWords(name, content),
          ],
        ]}
      />
    </CommandDialog>
  );
};

const ContentFields = (props: {
  readonly kind: string;
  readonly typed: Typed;
  readonly onText: (member: string, text: string) => void;
}) => {
  const { kind, typed, onText } = props;
  const about = (member: string, value = '') => ({
    name: `content.${member}`,
    value: typed[member] ?? value,
    onText: (text: string) => onText(member, text),
  });
  if (kind === 'settlement_delay_days')
    return (
      <div className="row">
        {PAYMENT_METHODS.map((method) => (
          <Field
            key={method}
            label={t('{method}, days', { method: tStatus(method) })}
            {...about(method)}
            type="number"
            min="0"
            step="1"
          />
        ))}
      </div>
    );
  if (kind === 'chargeback_alert_fee')
    return (
      <div className="row">
        <MoneyField label={t('Amount')} {...about('amount')} currency={typed.currency ?? 'BRL'} required />
        <Field label={t('Currency')} {...about('currency', 'BRL')} maxLength={3} required />
      </div>
    );
  if (SWITCHES.includes(kind))
    return (
      <Select
        label={settingName(kind)}
        {...about('on', 'true')}
        options={[
          { value: 'true', label: t('on') },
          { value: 'false', label: t('off') },
        ]}
      />
    );
  return <TextArea label={t('Content as JSON')} {...about('json')} required />;
};
