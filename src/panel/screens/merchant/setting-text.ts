import { formatMoney, formatNumber } from '../../format.ts';
import { isPortuguese, t, tStatus } from '../../words.ts';

const NAMES: Readonly<Record<string, readonly [english: string, portuguese: string]>> = {
  settlement_delay_days: ['Days until money is available', 'Dias até o dinheiro ficar disponível'],
  chargeback_alert_fee: ['Fee of a chargeback alert', 'Tarifa de um alerta de chargeback'],
  enable_connect: ['Sub-merchants and splits', 'Sublojistas e divisões'],
  reads_own_writes: ['Lists show what was just written', 'Listas mostram o que acabou de ser gravado'],
  unique_references: ['References count once', 'Cada referência vale uma vez'],
};

/** A setting in words; one without any by its name. */
export const settingName = (name: string): string =>
  NAMES[name]?.[isPortuguese ? 1 : 0] ?? name.replaceAll('_', ' ');

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Any value of the API for a reader. */
const valueInWords = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return t('empty');
  if (typeof value === 'boolean') return value ? t('on') : t('off');
  if (typeof value === 'number') return formatNumber(value);
  if (Array.isArray(value)) return value.map(valueInWords).join(', ') || t('empty');
  if (isObject(value))
    return (
      Object.entries(value)
        .map(([name, one]) => `${tStatus(name)}: ${valueInWords(one)}`)
        .join(', ') || t('empty')
    );
  return String(value);
};

/** The content of a setting for a reader. */
export const settingInWords = (name: string, content: unknown): string => {
  if (!isObject(content)) return valueInWords(content);
  const { amount, currency } = content;
  if (name === 'chargeback_alert_fee' && typeof amount === 'number' && /^[A-Z]{3}$/.test(String(currency)))
    return formatMoney(amount, String(currency));
  if (name === 'settlement_delay_days')
    return (
      Object.entries(content)
        .map(([method, days]) => `${tStatus(method)}: ${t('{days} days', { days: String(days) })}`)
        .join(', ') || t('empty')
    );
  return valueInWords(content);
};
