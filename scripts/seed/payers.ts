import { Faker, pt_BR } from '@faker-js/faker';
import { isCpf } from '../../src/kernel/national-id.ts';
import { withCheckDigits } from './national-id.ts';

/** A payer, who has the same name, document and card each time. */
export type Payer = {
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly cpf: string;
  /** Which of several cards the payer uses, and its expiry month. */
  readonly card: number;
  readonly expirationMonth: string;
};

/** The payers of a run by their numbers, from 0. */
export const createPayers = (seed: number): ((number: number) => Payer) => {
  const faker = new Faker({ locale: [pt_BR], seed });
  const known = new Map<number, Payer>();
  const make = (number: number): Payer => {
    faker.seed([seed, number]);
    const [first, last] = [faker.person.firstName(), faker.person.lastName()];
    const mailbox = `${first}.${last}`
      .normalize('NFD')
      .replaceAll(/[^a-zA-Z.]/g, '')
      .toLowerCase();
    return {
      name: `${first} ${last}`,
      email: `${mailbox}.${number}@example.com`,
      phone: `+55119${faker.string.numeric(8)}`,
      cpf: withCheckDigits(faker.string.numeric(9), 2, isCpf) ?? '52998224725',
      card: faker.number.int(99),
      expirationMonth: String(faker.number.int({ min: 1, max: 12 })).padStart(2, '0'),
    };
  };
  return (number) => {
    const payer = known.get(number) ?? make(number);
    known.set(number, payer);
    return payer;
  };
};
