import type { Faker } from '@faker-js/faker';

/** How the life of a charge goes; `PaymentState` and the card table of the simulator decide what it leads to. */
export type Scenario = {
  readonly name: string;
  readonly weight: number;
  /** Card numbers of the simulator's table; none: Pix. */
  readonly cards: readonly string[];
  /** How a wait for the payer or an analyst ends, and after how long at most. */
  readonly end: { readonly status: 'paid' | 'refused' | 'expired'; readonly withinMs: number } | null;
  readonly isRefunded: boolean;
};

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const ACCEPTED = [
  '4242424242424242',
  '4111111111111111',
  '5555555555554444',
  '378282246310005',
  '6362970000457013',
  '6062825624254001',
];
const REFUSED = ['4000000000000002', '4000000000009995'];
const FAILED = ['4000000000000119'];
const AUTHENTICATION = ['4000002500003155'];
const ANALYSIS = ['4000000000005126'];
const REFUND_PENDING = ['4000000000007726'];
const REFUND_REFUSED = ['4000000000005423'];
const REFUND_FAILED = ['4000000000003220'];

const card = (
  name: string,
  weight: number,
  cards: readonly string[],
  rest: Partial<Scenario> = {},
): Scenario => ({
  name,
  weight,
  cards,
  end: null,
  isRefunded: false,
  ...rest,
});
const pix = (name: string, weight: number, rest: Partial<Scenario> = {}): Scenario =>
  card(name, weight, [], rest);
const ends = (status: 'paid' | 'refused' | 'expired', withinMs: number): Partial<Scenario> => ({
  end: { status, withinMs },
});

/** What has come to an end, by how often it happens. */
const FINISHED: readonly Scenario[] = [
  card('card paid', 560, ACCEPTED),
  pix('pix paid', 190, ends('paid', 50 * MINUTE)),
  card('card refused', 80, REFUSED),
  card('card failed', 15, FAILED),
  pix('pix expired', 35, ends('expired', HOUR)),
  card('card refunded', 40, ACCEPTED, { isRefunded: true }),
  pix('pix refunded', 15, { ...ends('paid', 50 * MINUTE), isRefunded: true }),
  card('refund refused', 5, REFUND_REFUSED, { isRefunded: true }),
  card('refund failed', 5, REFUND_FAILED, { isRefunded: true }),
  card('authenticated', 25, AUTHENTICATION, ends('paid', 5 * MINUTE)),
  card('not authenticated', 10, AUTHENTICATION, ends('refused', 5 * MINUTE)),
  card('analysed', 15, ANALYSIS, ends('paid', 20 * HOUR)),
  card('analysed and refused', 5, ANALYSIS, ends('refused', 20 * HOUR)),
];

/** What still waits for somebody. */
const WAITING: readonly Scenario[] = [
  pix('pix pending', 1),
  card('in analysis', 1, ANALYSIS),
  card('authentication required', 1, AUTHENTICATION),
  card('refund pending', 1, REFUND_PENDING, { isRefunded: true }),
];

export const isWaiting = (scenario: Scenario): boolean => WAITING.includes(scenario);

/** Charges of the end of a run that wait; at most so many, because the reconciler asks about each of them. */
const WAITING_AT_MOST = 60;

/** Every scenario comes first once; the last charges of a run wait, the others have ended. */
export const scenarioOf = (faker: Faker, index: number, charges: number): Scenario => {
  const waiting = Math.min(WAITING_AT_MOST, Math.floor(charges / 25));
  if (index >= charges - waiting) return pick(WAITING, index);
  if (index < FINISHED.length) return pick(FINISHED, index);
  return faker.helpers.weightedArrayElement(FINISHED.map((value) => ({ value, weight: value.weight })));
};

const pick = (scenarios: readonly Scenario[], index: number): Scenario => {
  const scenario = scenarios[index % scenarios.length];
  if (!scenario) throw new RangeError('no scenarios');
  return scenario;
};
