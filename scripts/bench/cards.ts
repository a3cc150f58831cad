import { drained } from './creates.ts';
import type { Row } from './measure.ts';
import {
  CARD,
  chargeOf,
  costOf,
  inAll,
  NAMES,
  prepareSeller,
  SELLERS,
  type Seller,
  send,
} from './sellers.ts';
import type { Bench, Merchants } from './setting.ts';

const GOAL = 1.15;
const CHARGES = 1_000;

/** Processor time of charges by card token and by stored card, against charges with the card in the request. */
export const measureCards = async (bench: Bench, merchants: Merchants): Promise<Row[]> => {
  const sellers = await Promise.all(
    merchants.slice(0, SELLERS).map((authorization) => prepareSeller(bench, authorization)),
  );
  const sellerOf = (number: number): Seller => {
    const seller = sellers[number % SELLERS];
    if (!seller) throw new Error('there is no seller');
    return seller;
  };
  const costOfCharge = async (bodyOf: (seller: Seller, number: number) => object): Promise<number> => {
    await drained(bench);
    const { spent } = await costOf(bench, async () => {
      await inAll(CHARGES, async (number) => {
        const seller = sellerOf(number);
        await send(bench, seller.authorization, '/v1/charges', bodyOf(seller, number));
      });
      await drained(bench);
    });
    return NAMES.reduce((total, name) => total + spent[name], 0) / CHARGES;
  };
  const tokens = new Map<number, string>();
  await inAll(CHARGES, async (number) => {
    const { id } = await send(bench, sellerOf(number).authorization, '/v1/card-tokens', CARD);
    tokens.set(number, id);
  });
  const byCard = (seller: Seller) => paidBy(seller, CARD);
  // The first measurement only warms up what all three need.
  await costOfCharge(byCard);
  const before = await costOfCharge(byCard);
  const token = await costOfCharge((seller, number) => paidBy(seller, { token: tokens.get(number) }));
  const stored = await costOfCharge(chargeOf);
  // Measured before and after the others, because charges become slower while the stores fill.
  const card = (before + (await costOfCharge(byCard))) / 2;
  return [rowOf('a card token', token, card), rowOf('a stored card', stored, card)];
};

const paidBy = ({ customerId }: Seller, card: object): object => ({
  amount: 49.9,
  currency: 'BRL',
  customerId,
  paymentMethod: { type: 'credit_card', installments: 1, ...card },
});

const rowOf = (what: string, cost: number, card: number): Row => ({
  what: `processor time of a charge by ${what}, all processes`,
  gateway: `${cost.toFixed(1)} ms`,
  reference: `by card: ${card.toFixed(1)} ms`,
  result: `${(cost / card).toFixed(2)} ×`,
  goal: `≤ ${GOAL} ×`,
  isMet: cost / card <= GOAL,
});
