import type { Container } from 'inversify';
import { systemClock } from '../../src/kernel/clock.ts';
import { newId } from '../../src/kernel/ids.ts';
import { isCpf } from '../../src/kernel/national-id.ts';
import type { Config } from '../../src/main/config.ts';
import { createSeller, feesOf } from '../seed/merchants.ts';
import { withCheckDigits } from '../seed/national-id.ts';
import type { Call } from './gateway-process.ts';

/** Tools of every part of the benchmark. */
export type Bench = {
  /** Seconds of one turn, number of turns, and number of charges behind the lists. */
  readonly seconds: number;
  readonly rounds: number;
  readonly charges: number;
  /** Variables of the measured gateway, and the settings that they make. */
  readonly variables: Readonly<Record<string, string>>;
  readonly config: Config;
  /** Direct access to the stores that the gateway uses. */
  readonly container: Container;
  readonly url: string;
  readonly call: Call;
  /** Process ids of the gateway and the local servers, by name. */
  readonly processes: Readonly<Record<'gateway' | 'write store' | 'Elasticsearch', number>>;
  readonly say: (line: string) => void;
};

/** The authorization header of each merchant. */
export type Merchants = readonly string[];

const MERCHANTS = 200;

/** Creates merchants with fees and a test key. */
export const prepareMerchants = async ({ container }: Pick<Bench, 'container'>): Promise<Merchants> => {
  const authorizations: string[] = [];
  for (let number = 1; number <= MERCHANTS; number += 1) {
    const { secretKey } = await createSeller(
      { container, clock: systemClock, newId },
      {
        legalName: `Loja ${number} Ltda`,
        email: `loja${number}@portico.test`,
        companyTaxId: null,
        role: 'Merchant',
      },
      feesOf(0),
    );
    authorizations.push(`Basic ${Buffer.from(`${secretKey}:`).toString('base64')}`);
  }
  return authorizations;
};

let created = 0;

/** Creates a paid card charge with a payer of its own; returns its id. */
export const createCharge = async (call: Call, authorization: string): Promise<string> => {
  created += 1;
  const { status, body } = await call('POST', '/v1/charges', authorization, chargeRequest(created));
  if (status !== 201) throw new Error(`POST /v1/charges: ${status} ${body}`);
  return (JSON.parse(body) as { id: string }).id;
};

const chargeRequest = (number: number): object => ({
  amount: 100 + (number % 900) + 0.9,
  currency: 'BRL',
  customer: {
    name: 'Ana Souza',
    email: `cliente${number}@example.com`,
    document: { type: 'cpf', id: withCheckDigits(String(100_000_000 + number), 2, isCpf) ?? '52998224725' },
    address: { country: 'BR' },
  },
  paymentMethod: {
    type: 'credit_card',
    installments: 1,
    number: '4242424242424242',
    holderName: 'ANA SOUZA',
    expirationMonth: '12',
    expirationYear: String(new Date().getUTCFullYear() + 3),
    cvv: '123',
  },
  items: [{ title: 'Assinatura mensal', type: 'product', unit_price: 100, quantity: 1 }],
  reference: `pedido-${number}`,
  metadata: { channel: 'site' },
});
