import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import type { Decision } from '../../../kernel/event.ts';
import type { Charge, Customer, PaymentMethod } from '../../charges/write/charge.ts';

/** Stands where a name was. */
const ERASED = 'erased';
/** Has a length that every kind of identifier may have. */
const ERASED_NUMBER = '00000000';

const NOBODY: Customer = {
  id: 'cus_erased',
  name: ERASED,
  email: 'erased@erased.invalid',
  phone: null,
  document: null,
  address: null,
};

export const isErased = ({ customer }: Charge): boolean => customer.id === NOBODY.id;

/** A charge without what tells whose it was; amounts, dates and what remains of the card stay. */
export const withoutCustomer = (charge: Charge): Charge => ({
  ...charge,
  customer: NOBODY,
  paymentMethod: withoutHolder(charge.paymentMethod),
  // It is computed from the customer.
  duplicateKey: charge.id,
});

const withoutHolder = (method: PaymentMethod): PaymentMethod => {
  if (method.type === 'credit_card') return { ...method, holderName: ERASED };
  if (method.type === 'pix') return method;
  return { ...method, identifyNumber: ERASED_NUMBER };
};

export const eraseCustomer = (charge: Charge, now: Date): Decision<Charge> => {
  const updatedAt: Timestamp = timestamp(now);
  return { type: 'charge.customer_erased', data: { ...withoutCustomer(charge), updatedAt } };
};
