import type { Schemas } from '../../../client/client.ts';
import { Facts, Money } from '../../components/parts.tsx';
import { useFields } from '../../components/use-fields.tsx';
import { CARD_BRANDS, namesOf, optionsOf, PAYMENT_METHODS } from '../../values.ts';
import { t } from '../../words.ts';
import { type Price, priceOf } from './price.ts';

/** Prices a sample charge while fees are typed. */
export const Calculator = ({ fees }: { readonly fees: readonly Schemas['FeeDefinition'][] }) => {
  const { values, field, select, currency } = useFields({
    amount: '100',
    currency: 'BRL',
    method: 'credit_card',
    brand: 'visa',
    installments: '1',
  });
  const { method: paymentMethod } = values;
  const isCard = paymentMethod === 'credit_card';
  const price = priceOf(fees, {
    amount: Number(values.amount),
    currency: values.currency,
    paymentMethod,
    brand: isCard ? values.brand : '',
    installments: isCard ? Number(values.installments) : 1,
  });
  return (
    <section aria-label={t('Sample charge')}>
      <h3>{t('Sample charge')}</h3>
      <div className="row">
        {field('amount', t('Amount'), { type: 'number', min: '0', step: 'any' })}
        {currency('currency')}
        {select('method', t('Method'), optionsOf(PAYMENT_METHODS))}
        {isCard && select('brand', t('Brand'), namesOf(CARD_BRANDS))}
        {isCard &&
          field('installments', t('Installments'), { type: 'number', min: '1', max: '12', step: '1' })}
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
