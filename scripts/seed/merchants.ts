import { Faker, pt_BR } from '@faker-js/faker';
import type { Container } from 'inversify';
import type { Clock } from '../../src/kernel/clock.ts';
import { systemContext } from '../../src/kernel/event.ts';
import type { NewId } from '../../src/kernel/ids.ts';
import { createApiKey } from '../../src/modules/merchants/write/create-api-key.ts';
import { createMerchant } from '../../src/modules/merchants/write/create-merchant.ts';
import type { FeeDefinition } from '../../src/modules/merchants/write/fees.ts';
import { putFeeDefinitions } from '../../src/modules/merchants/write/put-fee-definitions.ts';
import { KEY_RINGS, TRANSACT } from '../../src/platform/platform.module.ts';
import type { SeedMerchant } from './histories.ts';
import { CARD_CURRENCIES } from './request.ts';

export const emailOf = (seed: number, run: number, number: number): string =>
  `loja${number}.${seed}-${run}@portico.test`;

/** Merchants with fees and a test key, made by the command handlers at the beginning of the run's time. */
export const createMerchants = async (
  container: Container,
  options: {
    readonly merchants: number;
    readonly seed: number;
    readonly run: number;
    readonly clock: Clock;
    readonly newId: NewId;
  },
): Promise<SeedMerchant[]> => {
  const { clock, newId, seed, run } = options;
  const deps = { transact: container.get(TRANSACT), keyRings: container.get(KEY_RINGS), clock, newId };
  const context = systemContext('seed');
  const faker = new Faker({ locale: [pt_BR], seed });
  const made: SeedMerchant[] = [];
  for (let number = 1; number <= options.merchants; number += 1) {
    const merchant = await createMerchant(deps)(
      {
        legalName: `${faker.company.name()} Ltda`,
        email: emailOf(seed, run, number),
        companyTaxId: null,
        role: 'Merchant',
        timeZone: 'America/Sao_Paulo',
      },
      context,
    );
    const fees = await putFeeDefinitions(deps)(
      { merchantId: merchant.id, definitions: feesOf(faker.number.int({ min: 0, max: 60 }) / 100) },
      context,
    );
    const key = await createApiKey(deps)({ merchantId: merchant.id, livemode: false }, context);
    made.push({ merchant, fees, keyId: key.id, secretKey: key.secretKey });
  }
  return made;
};

/** Percentages grow with the installments; `extra` differs between merchants. */
const feesOf = (extra: number): FeeDefinition[] => {
  const percentages = Array.from({ length: 12 }, (_, index) => round(2.49 + extra + index * 0.5));
  const fee = (
    payment_method: 'credit_card' | 'pix',
    currency_code: string,
    definition: { fixed: number; percentages: number[] },
  ): FeeDefinition => ({ fee_type: 'tx_spread', payment_method, currency_code, brand: null, definition });
  return [
    ...CARD_CURRENCIES.map((currency) =>
      fee('credit_card', currency, { fixed: currency === 'BRL' ? 0.39 : 0, percentages }),
    ),
    fee('pix', 'BRL', { fixed: 0, percentages: [round(0.69 + extra)] }),
  ];
};

const round = (percentage: number): number => Number(percentage.toFixed(2));
