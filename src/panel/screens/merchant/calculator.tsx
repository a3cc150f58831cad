import type { Schemas } from '../../../client/client.ts';
import { Facts } from '../../components/facts.tsx';
import { amountOf } from '../../components/money-field.tsx';
import { useFields } from '../../components/use-fields.tsx';
import { Money } from '../../components/values.tsx';
import { CARD_BRANDS, namesOf, optionsOf, PAYMENT_METHODS } from '../../values.ts';
import { t } from '../../words.ts';
import { type Price, priceOf } from './price.ts';

/** Prices a sample charge while fees are typed. */
export const Calculator = ({ fees }: { readonly fees: readonly Schemas['FeeDefinition'][] }) => {
  const { values, field, money, select, currency } = useFields({
    amount: '100',
    currency: 'BRL',
    method: 'credit_card',
    brand: 'visa',
    installments: '1',
  });
  const paymentMethod = PAYMENT_METHODS.find((method) => method === values.method) ?? 'credit_card';
  const isCard = paymentMethod === 'credit_card';
  const price = priceOf(fees, {
    amount: amountOf(values.amount, values.currency) ?? 0,
    currency: values.currency,
    paymentMethod,
    brand: isCard ? values.brand : '',
    installments: isCard ? Number(values.installments) : 1,
  });
  return (
    <section aria-label={t('Sample charge')}>
      <h3>{t('Sample charge')}</h3>
      <div className="row">
        {money('amount', t('Amount'), values.currency)}
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
