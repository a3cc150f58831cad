import { useState } from 'react';
import type { Schemas } from '../../../client/client.ts';
import { asTyped } from '../../amount.ts';
import { call } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { type Change, Changes } from '../../components/changes.tsx';
import { CommandDialog } from '../../components/command-dialog.tsx';
import { Field, Select } from '../../components/field.tsx';
import { Panel } from '../../components/loaded.tsx';
import { amountOf, MoneyField } from '../../components/money-field.tsx';
import { Table } from '../../components/table.tsx';
import { digitsOf, formatMoney, formatPercent } from '../../format.ts';
import { may, useMe } from '../../session.tsx';
import { CARD_BRANDS, namesOf, optionsOf, PAYMENT_METHODS } from '../../values.ts';
import { t, tStatus } from '../../words.ts';
import { Calculator } from './calculator.tsx';

type Fee = Schemas['FeeDefinition'];

/** Fees of a merchant, with the price of a sample charge. */
export const Fees = ({ merchantId }: { readonly merchantId: string }) => {
  const me = useMe();
  const [isEditing, setEditing] = useState(false);
  const change = <Button label={t('Change fees')} onClick={() => setEditing(true)} />;
  return (
    <Panel
      title={t('Fees')}
      call={call('getFeeDefinitions', { path: { id: merchantId } })}
      lines={6}
      buttons={may(me, 'admin.merchants.update') && change}
    >
      {(fees) => (
        <>
          <FeeTable fees={fees} />
          <Calculator fees={fees} />
          {isEditing && (
            <FeesDialog merchantId={merchantId} stored={fees} onClose={() => setEditing(false)} />
          )}
        </>
      )}
    </Panel>
  );
};

/** The merchant's own fees. */
export const OwnFees = () => (
  <Panel title={t('Fees')} call={call('getOwnFees')}>
    {(fees) => (
      <>
        <FeeTable fees={fees} />
        <Calculator fees={fees} />
      </>
    )}
  </Panel>
);

/** A fee of the fees-info as the list of fees has it. */
const feeOfInfo = ({
  feeType,
  paymentMethod,
  brand,
  currencyCode,
  definition,
}: Schemas['FeesInfo']['fees'][number]): Fee =>
  ({
    fee_type: feeType,
    payment_method: paymentMethod,
    brand,
    currency_code: currencyCode,
    definition,
  }) as Fee;

/** Fees of a sub-merchant as its master sees them. */
export const FeesInfo = ({ merchantId }: { readonly merchantId: string }) => (
  <Panel title={t('Fees')} call={call('getSubAccountFees', { path: { id: merchantId } })}>
    {({ fees }) => (
      <>
        <FeeTable fees={fees.map(feeOfInfo)} />
        <Calculator fees={fees.map(feeOfInfo)} />
      </>
    )}
  </Panel>
);

const nameOf = (fee: Fee): string =>
  fee.fee_type === 'payout'
    ? `${tStatus(fee.fee_type)}, ${fee.currency_code}`
    : [tStatus(fee.fee_type), tStatus(fee.payment_method), fee.brand, fee.currency_code]
        .filter(Boolean)
        .join(', ');

const priceIn = (fee: Fee): string => {
  const { currency_code: currency } = fee;
  if (fee.fee_type === 'payout')
    return `${formatMoney(fee.definition.fixed / 100, currency)} + ${formatPercent(fee.definition.variable)}`;
  const { fixed, percentages } = fee.definition;
  return `${formatMoney(fixed, currency)} + ${percentages.map(formatPercent).join('; ')}`;
};

const FeeTable = ({ fees }: { readonly fees: readonly Fee[] }) => (
  <Table
    caption={t('Fees')}
    heads={[t('Fee'), t('Fixed, and the percentage for 1, 2, 3 … installments')]}
    rows={fees.map((fee) => ({ key: nameOf(fee), cells: [nameOf(fee), priceIn(fee)] }))}
  >
    {fees.length === 0 && (
      <p className="empty">{t('Without fees live charges are refused, and test charges cost nothing.')}</p>
    )}
  </Table>
);

/** A fee as it is typed; `percentages` are separated by spaces. */
type Row = {
  readonly key: number;
  readonly type: string;
  readonly method: string;
  readonly brand: string;
  readonly currency: string;
  readonly fixed: string;
  readonly percentages: string;
};

const rowOf = (fee: Fee, key: number): Row =>
  fee.fee_type === 'payout'
    ? {
        key,
        type: 'payout',
        method: 'pix',
        brand: '',
        currency: fee.currency_code,
        fixed: asTyped(fee.definition.fixed / 100, 2),
        percentages: String(fee.definition.variable),
      }
    : {
        key,
        type: fee.fee_type,
        method: fee.payment_method,
        brand: fee.brand ?? '',
        currency: fee.currency_code,
        fixed: asTyped(fee.definition.fixed, digitsOf(fee.currency_code)),
        percentages: fee.definition.percentages.join(' '),
      };

const feeOf = ({ type, method, brand, currency, fixed, percentages }: Row): Fee => {
  const numbers = percentages
    .split(/[\s;]+/)
    .filter(Boolean)
    .map((text) => Number(text.replace(',', '.')));
  const fee =
    type === 'payout'
      ? {
          fee_type: type,
          currency_code: currency,
          definition: {
            fixed: Math.round((amountOf(fixed, currency) ?? 0) * 100),
            variable: numbers[0] ?? 0,
          },
        }
      : {
          fee_type: type,
          payment_method: method,
          brand: method === 'credit_card' && brand ? brand : null,
          currency_code: currency,
          definition: { fixed: amountOf(fixed, currency) ?? 0, percentages: numbers },
        };
  return fee as Fee;
};

const changesOf = (stored: readonly Fee[], fees: readonly Fee[]): readonly Change[] => {
  const names = [...new Set([...stored, ...fees].map(nameOf))];
  const priceBy = (list: readonly Fee[], name: string): string => {
    const fee = list.find((one) => nameOf(one) === name);
    return fee ? priceIn(fee) : '';
  };
  return names.map((name) => [name, priceBy(stored, name), priceBy(fees, name)]);
};

const NEW: Omit<Row, 'key'> = {
  type: 'tx_spread',
  method: 'pix',
  brand: '',
  currency: 'BRL',
  fixed: '0',
  percentages: '0',
};

const CURRENCY = /^[A-Z]{3}$/;

const FeesDialog = (props: {
  readonly merchantId: string;
  readonly stored: readonly Fee[];
  readonly onClose: () => void;
}) => {
  const { merchantId, stored, onClose } = props;
  const [rows, setRows] = useState<readonly Row[]>(stored.map(rowOf));
  const [next, setNext] = useState(stored.length);
  const fees = rows.map(feeOf);
  // A currency that is half typed cannot be shown as money.
  const shown = fees.filter(({ currency_code }) => CURRENCY.test(currency_code));
  return (
    <CommandDialog
      title={t('Change fees')}
      action={t('Save fees')}
      isWide
      call={call('replaceFeeDefinitions', { path: { id: merchantId }, body: fees })}
      onClose={onClose}
    >
      <p>{t('Charges keep the fees that they were made with. New ones count from the next charge on.')}</p>
      {rows.map((row, index) => (
        <FeeFields
          key={row.key}
          row={row}
          index={index}
          onChange={(changed) => setRows(rows.map((one) => (one.key === row.key ? changed : one)))}
          onRemove={() => setRows(rows.filter((one) => one.key !== row.key))}
        />
      ))}
      <Button
        label={t('Add fee')}
        onClick={() => {
          setRows([...rows, { ...NEW, key: next }]);
          setNext(next + 1);
        }}
      />
      <Changes of={changesOf(stored, shown)} />
      <Calculator fees={shown} />
    </CommandDialog>
  );
};

const FeeFields = (props: {
  readonly row: Row;
  readonly index: number;
  readonly onChange: (row: Row) => void;
  readonly onRemove: () => void;
}) => {
  const { row, index, onChange, onRemove } = props;
  const about = (member: keyof Row & string, name: string) => ({
    name: `${index}.${name}`,
    value: String(row[member]),
    onText: (text: string) => onChange({ ...row, [member]: text }),
  });
  const isPayout = row.type === 'payout';
  return (
    <fieldset className="row">
      <legend>{t('Fee {number}', { number: String(index + 1) })}</legend>
      <Select
        label={t('Kind')}
        {...about('type', 'fee_type')}
        options={optionsOf(['tx_spread', 'anticipation', 'payout'])}
      />
      {!isPayout && (
        <Select
          label={t('Method')}
          {...about('method', 'payment_method')}
          options={optionsOf(PAYMENT_METHODS)}
        />
      )}
      {!isPayout && row.method === 'credit_card' && (
        <Select label={t('Brand')} {...about('brand', 'brand')} options={namesOf(CARD_BRANDS)} none="" />
      )}
      <Field
        label={t('Currency')}
        {...about('currency', 'currency_code')}
        onText={(text) => onChange({ ...row, currency: text.toUpperCase() })}
        maxLength={3}
        required
      />
      <MoneyField
        label={t('Fixed')}
        {...about('fixed', 'definition.fixed')}
        currency={row.currency}
        required
      />
      <Field
        label={isPayout ? t('Per cent') : t('Per cent for 1, 2 … installments')}
        {...about('percentages', isPayout ? 'definition.variable' : 'definition.percentages')}
        required
      />
      <Button label={t('Remove')} className="quiet" onClick={onRemove} />
    </fieldset>
  );
};
