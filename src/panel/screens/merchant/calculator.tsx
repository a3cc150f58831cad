import { useState } from 'react';
import type { Schemas } from '../../../client/client.ts';
import { Field, Select } from '../../components/field.tsx';
import { Facts, Money } from '../../components/parts.tsx';
import { useFields } from '../../components/use-fields.tsx';
import { CARD_BRANDS, namesOf, optionsOf, PAYMENT_METHODS } from '../../values.ts';
import { t } from '../../words.ts';
import { type Price, priceOf } from './price.ts';

/** Prices a sample charge while fees are typed. */
export const Calculator = ({ fees }: { readonly fees: readonly Schemas['FeeDefinition'][] }) => {
  const { values, set, field } = useFields({ amount: '100', currency: 'BRL', installments: '1' });
  const [paymentMethod, setMethod] = useState('credit_card');
  const [brand, setBrand] = useState('visa');
  const isCard = paymentMethod === 'credit_card';
  const price = priceOf(fees, {
    amount: Number(values.amount),
    currency: values.currency,
    paymentMethod,
    brand: isCard ? brand : '',
    installments: isCard ? Number(values.installments) : 1,
  });
  return (
    <section aria-label={t('Sample charge')}>
      <h3>{t('Sample charge')}</h3>
      <div className="row">
        {field('amount', t('Amount'), null, { type: 'number', min: '0', step: 'any' })}
        <Field
          label={t('Currency')}
          name="currency"
          value={values.currency}
          onText={(text) => set('currency', text.toUpperCase())}
          maxLength={3}
        />
        <Select
          label={t('Method')}
          name="method"
          value={paymentMethod}
          onText={setMethod}
          options={optionsOf(PAYMENT_METHODS)}
        />
        {isCard && (
          <Select
            label={t('Brand')}
            name="brand"
            value={brand}
            onText={setBrand}
            options={namesOf(CARD_BRANDS)}
          />
        )}
        {isCard &&
          field('installments', t('Installments'), null, { type: 'number', min: '1', max: '12', step: '1' })}
      </div>
      <output aria-live="polite">
        <PriceOf price={price} currency={values.currency} />
      </output>
    </section>
  );
};

const PriceOf = ({ price, currency }: { readonly price: Price; readonly currency: string }) => {
  if (price.kind === 'no fee')
    return <p>{t('No fee: a live charge is refused, and a test charge costs nothing.')}</p>;
  if (price.kind !== 'priced') return <p>{t('That many installments are not offered.')}</p>;
  return (
    <Facts
      rows={[
        [t('Fee'), <Money key="fee" amount={price.spread} currency={currency} />],
        [t('Net'), <Money key="net" amount={price.net} currency={currency} />],
      ]}
    />
  );
};
