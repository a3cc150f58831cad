import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import type { Decision } from '../../../kernel/event.ts';
import type { Charge, ChargeEvent, Customer, PaymentMethod } from '../../charges/write/charge.ts';

/** Replaces a name. */
const ERASED = 'erased';
/** Replaces a number; every kind of identifier may have this length. */
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

/** The charge without anything that identifies its payer. Amounts, dates and the other facts of the card stay. */
export const withoutCustomer = (charge: Charge): Charge => ({
  ...charge,
  customer: NOBODY,
  paymentMethod: withoutHolder(charge.paymentMethod),
  // The former key was computed from the customer.
  duplicateKey: charge.id,
});

const withoutHolder = (method: PaymentMethod): PaymentMethod => {
  if (method.type === 'credit_card') return { ...method, holderName: ERASED };
  if (method.type === 'pix') return method;
  return { ...method, identifyNumber: ERASED_NUMBER };
};

export const eraseCustomer = (charge: Charge, now: Date): Decision<Charge, ChargeEvent> => {
  const updatedAt: Timestamp = timestamp(now);
  return { type: 'charge.customer_erased', data: { ...withoutCustomer(charge), updatedAt } };
};
