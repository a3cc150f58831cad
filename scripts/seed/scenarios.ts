import type { Faker } from '@faker-js/faker';
import type { PaymentType } from '../../src/modules/providers/provider.ts';

/** A step in the life of a charge, with the longest wait since the previous step. */
export type Step = {
  readonly does: /** The payer, 3-D Secure or an analyst ends the wait. */
    | 'paid'
    | 'refused'
    | 'failed'
    /** Nobody pays in time; this step has no `withinMs`. */
    | 'expired'
    /** The gateway asks the provider that gave no answer. */
    | 'reconciled'
    /** The merchant requests a refund, and the bank completes a pending one. */
    | 'refund'
    | 'refund completed'
    | 'refund refused'
    | 'refund failed'
    /** An operator registers an alert, marks its manual refund as made, or confirms the chargeback. */
    | 'alert'
    | 'resolved'
    | 'chargeback';
  readonly withinMs: number;
};

/** The course of a charge's life; the handlers and the simulator's card table decide on the results. */
export type Scenario = {
  readonly name: string;
  readonly weight: number;
  readonly method: PaymentType;
  /** Card numbers of the simulator's table; empty for other methods. */
  readonly cards: readonly string[];
  /** Whether the card comes from a device wallet. */
  readonly isWallet: boolean;
  readonly steps: readonly Step[];
};

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

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
const NO_REFUND_API = ['4000000000006975'];
const SILENT = ['4000000000004954'];

const step = (does: Step['does'], withinMs = 0): Step => ({ does, withinMs });

const REFUND = step('refund', 20 * DAY);
const ALERT = step('alert', 30 * DAY);
const CHARGEBACK = step('chargeback', 40 * DAY);
const RESOLVED = step('resolved', 4 * DAY);

const card = (
  name: string,
  weight: number,
  cards: readonly string[],
  ...steps: readonly Step[]
): Scenario => ({ name, weight, method: 'credit_card', cards, isWallet: false, steps });

const other = (
  method: Exclude<PaymentType, 'credit_card'>,
  weight: number,
  ...steps: readonly Step[]
): Scenario => ({
  name: [method, ...steps.map(({ does }) => does)].join(', '),
  weight,
  method,
  cards: [],
  isWallet: false,
  steps,
});

/** Scenarios that have ended, weighted by how often they happen. */
const FINISHED: readonly Scenario[] = [
  card('card paid', 500, ACCEPTED),
  { ...card('device wallet paid', 40, ACCEPTED), isWallet: true },
  other('pix', 180, step('paid', 50 * MINUTE)),
  other('voucher', 25, step('paid', 2 * DAY)),
  other('banktransfer', 20, step('paid', 20 * HOUR)),
  other('qrcode', 20, step('paid', 40 * MINUTE)),
  card('card refused', 75, REFUSED),
  card('card failed', 12, FAILED),
  card('answered late', 4, SILENT, step('reconciled', 2 * MINUTE)),
  card('authenticated', 25, AUTHENTICATION, step('paid', 5 * MINUTE)),
  card('not authenticated', 8, AUTHENTICATION, step('refused', 5 * MINUTE)),
  card('authentication broken off', 4, AUTHENTICATION, step('failed', 15 * MINUTE)),
  card('analysed', 15, ANALYSIS, step('paid', 20 * HOUR)),
  card('analysed and refused', 5, ANALYSIS, step('refused', 20 * HOUR)),
  other('pix', 25, step('expired')),
  other('voucher', 10, step('expired')),
  other('banktransfer', 5, step('expired')),
  other('qrcode', 5, step('expired')),
  card('card refunded', 35, ACCEPTED, REFUND),
  other('pix', 12, step('paid', 50 * MINUTE), REFUND),
  card('refund completed late', 6, REFUND_PENDING, REFUND, step('refund completed', 3 * DAY)),
  card('refund refused late', 2, REFUND_PENDING, REFUND, step('refund refused', 3 * DAY)),
  card('refund failed late', 2, REFUND_PENDING, REFUND, step('refund failed', 3 * DAY)),
  card('refund refused', 4, REFUND_REFUSED, REFUND),
  card('refund failed', 4, REFUND_FAILED, REFUND),
  card('refund not supported', 2, NO_REFUND_API, REFUND),
  card('alert', 8, ACCEPTED, ALERT),
  card('alert and chargeback', 4, ACCEPTED, ALERT, CHARGEBACK),
  card('alert, refunded by hand', 3, NO_REFUND_API, ALERT, RESOLVED),
  card('alert, refund refused', 1, REFUND_REFUSED, ALERT),
  card('alert, refund failed', 1, REFUND_FAILED, ALERT, CHARGEBACK),
  other('voucher', 1, step('paid', 2 * DAY), ALERT),
  card('chargeback', 3, ACCEPTED, CHARGEBACK),
];

/** Scenarios that still wait for somebody. */
const WAITING: readonly Scenario[] = [
  other('pix', 1),
  card('in analysis', 1, ANALYSIS),
  card('authentication required', 1, AUTHENTICATION),
  card('refund pending', 1, REFUND_PENDING, step('refund', 5 * MINUTE)),
  other('voucher', 1),
  other('banktransfer', 1),
  other('qrcode', 1),
  card('alert, refund pending', 1, REFUND_PENDING, step('alert', 5 * MINUTE)),
];

/** The most charges at the end of a run that wait, because the reconciler asks about each of them. */
const WAITING_AT_MOST = 60;

export const waitingOf = (charges: number): number => Math.min(WAITING_AT_MOST, Math.floor(charges / 25));

/** First every scenario once. The last charges of a run wait, all others have ended. */
export const scenarioOf = (faker: Faker, index: number, charges: number): Scenario => {
  if (index >= charges - waitingOf(charges)) return pick(WAITING, index);
  if (index < FINISHED.length) return pick(FINISHED, index);
  return faker.helpers.weightedArrayElement(FINISHED.map((value) => ({ value, weight: value.weight })));
};

const pick = (scenarios: readonly Scenario[], index: number): Scenario => {
  const scenario = scenarios[index % scenarios.length];
  if (!scenario) throw new RangeError('no scenarios');
  return scenario;
};
