import type { ReactNode } from 'react';
import type { Schemas } from '../../client/client.ts';
import { t } from '../words.ts';
import { givenOf, useFields } from './use-fields.tsx';

type Address = NonNullable<Schemas['Submerchant']['address']>;

const PARTS = ['line1', 'line2', 'city', 'state', 'postalCode', 'country'] as const;

/** An address in one line. */
export const inOneLine = (address: Partial<Address> | null): string =>
  PARTS.map((part) => address?.[part])
    .filter(Boolean)
    .join(', ');

/** The fields of a postal address, what is typed in them, and the part of a request that changes the former address. */
export const useAddress = (
  former: Address | null,
): {
  readonly fields: ReactNode;
  readonly typed: Partial<Address>;
  readonly change: { readonly address?: Partial<Address> | null };
} => {
  const { values, field } = useFields({
    'address.line1': former?.line1 ?? '',
    'address.line2': former?.line2 ?? '',
    'address.city': former?.city ?? '',
    'address.state': former?.state ?? '',
    'address.postalCode': former?.postalCode ?? '',
    'address.country': former?.country ?? '',
  });
  const typed: Partial<Address> = givenOf(
    Object.fromEntries(PARTS.map((part) => [part, values[`address.${part}`].trim()])),
  );
  const isAddress = Object.keys(typed).length > 0;
  const isMoved = PARTS.some((part) => (former?.[part] ?? '') !== (typed[part] ?? ''));
  const fields = (
    <fieldset className="row">
      <legend>{t('Address')}</legend>
      {field('address.line1', t('Street and number'))}
      {field('address.line2', t('Further line'))}
      {field('address.city', t('City'))}
      {field('address.state', t('State'))}
      {field('address.postalCode', t('Postal code'))}
      {field('address.country', t('Country'), { required: isAddress })}
    </fieldset>
  );
  return { fields, typed, change: isMoved ? { address: isAddress ? typed : null } : {} };
};
