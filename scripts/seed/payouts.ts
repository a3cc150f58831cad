import type { Faker } from '@faker-js/faker';
import { DAY_MS } from '../../src/kernel/durations.ts';
import { GatewayError } from '../../src/kernel/errors.ts';
import { type CommandContext, systemContext } from '../../src/kernel/event.ts';
import { ownerKey } from '../../src/modules/ledger/write/journal.ts';
import type { ProcessPayoutRequest } from '../../src/modules/payouts/write/process-payout-request.ts';
import type { RequestPayout } from '../../src/modules/payouts/write/request-payout.ts';
import type { Books } from './books.ts';
import { principalOf, type SeedMerchant } from './merchants.ts';

/** Something that happens at its time between the charges of a run. */
type Appointment = { readonly at: number; keep(): Promise<void> };

/** How a payout ends; `in transit` and `pending` occur only at the end of a run. */
type Fate = 'sent' | 'rejected' | 'failed' | 'sent back' | 'in transit' | 'pending';

/** The first payouts of a run end in each of these ways once. */
const FATES: readonly { readonly value: Fate; readonly weight: number }[] = [
  { value: 'sent', weight: 88 },
  { value: 'rejected', weight: 6 },
  { value: 'failed', weight: 4 },
  { value: 'sent back', weight: 2 },
];

const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * DAY_MS;
/** Smaller balances, in cents, are not paid out before the last time, because they would be used up by fees. */
const AT_LEAST = 100_000;
const AT_LEAST_IN_THE_END = 2_000;

/** Each outcome once, then at random; of the last requests every second one stays pending. */
const createFates = (faker: Faker): ((isLast: boolean) => Fate) => {
  let asked = 0;
  let askedLast = 0;

  return (isLast) => {
    if (isLast) {
      askedLast += 1;
      return askedLast % 2 === 1 ? 'pending' : 'in transit';
    }
    asked += 1;
    return FATES[asked - 1]?.value ?? faker.helpers.weightedArrayElement(FATES);
  };
};

/**
 * Plans payouts: every week each merchant requests most of its available balance, and an operator decides within a day.
 * The amount depends on the balance, so a request is recorded only when it is decided.
 */
export const planPayouts = (options: {
  readonly merchants: readonly SeedMerchant[];
  readonly start: number;
  readonly end: number;
  readonly faker: Faker;
  readonly books: Books;
  readonly requestPayout: RequestPayout;
  readonly processPayoutRequest: ProcessPayoutRequest;
  /** Sets the clock of the handlers. */
  readonly setTime: (at: number) => void;
  readonly operator: CommandContext;
}): readonly Appointment[] => {
  const { faker, books, operator, setTime, processPayoutRequest } = options;
  const fateOf = createFates(faker);

  const transfer = async (id: string, at: number, status: 'sent' | 'failed'): Promise<void> => {
    setTime(at);
    const reference = status === 'sent' ? `ted-${faker.string.numeric(10)}` : null;
    const report = { status, reference, reason: status === 'failed' ? 'chave Pix inexistente' : null };
    await processPayoutRequest({ id, livemode: false, outcome: 'transfer', report }, operator);
  };

  const decide = async (
    { merchant, keyId }: SeedMerchant,
    amount: number,
    askedAt: number,
    decidedAt: number,
    isLast: boolean,
  ): Promise<void> => {
    const principal = principalOf(merchant, keyId);
    const context: CommandContext = { ...systemContext('seed'), actor: principal.actor };
    setTime(askedAt);
    const submerchantId = merchant.masterId === null ? null : merchant.id;
    const { id } = await options.requestPayout({ principal, submerchantId, amount }, context);
    const fate = fateOf(isLast);
    if (fate === 'pending') return;
    setTime(decidedAt);
    const answer = { id, livemode: false } as const;
    const reject = (rejectionReason: string) =>
      processPayoutRequest({ ...answer, outcome: 'rejected', rejectionReason }, operator);
    if (fate === 'rejected') {
      await reject('divergência cadastral');
      return;
    }
    try {
      await processPayoutRequest({ ...answer, outcome: 'approved' }, operator);
    } catch (error) {
      // Money that was refunded since the request is no longer available.
      if (!(error instanceof GatewayError) || error.code !== 'INSUFFICIENT_BALANCE') throw error;
      await reject('saldo insuficiente');
      return;
    }
    if (fate === 'in transit') return;
    await transfer(id, decidedAt + HOUR_MS, fate === 'failed' ? 'failed' : 'sent');
    if (fate === 'sent back') await transfer(id, decidedAt + 20 * HOUR_MS, 'failed');
  };

  const appointmentsOf = (one: SeedMerchant, askedAt: number, isLast: boolean): readonly Appointment[] => {
    const decidedAt = askedAt + faker.number.int({ min: HOUR_MS, max: 22 * HOUR_MS });
    let amount = 0;
    return [
      {
        at: askedAt,
        async keep() {
          const available = books.available(ownerKey(one.merchant.id, false), 'BRL');
          const share = faker.number.int({ min: 60, max: 95 });
          const atLeast = isLast ? AT_LEAST_IN_THE_END : AT_LEAST;
          amount = available < atLeast ? 0 : Math.floor((available * share) / 10_000) * 100;
        },
      },
      {
        at: decidedAt,
        async keep() {
          if (amount > 0) await decide(one, amount, askedAt, decidedAt, isLast);
        },
      },
    ];
  };

  const planned = options.merchants.flatMap((one) => {
    const offset = faker.number.int(5 * DAY_MS);
    const weeks = Math.floor((options.end - 4 * DAY_MS - options.start - offset) / WEEK_MS);
    const usual = Array.from({ length: Math.max(0, weeks) }, (_, week) =>
      appointmentsOf(one, options.start + offset + (week + 1) * WEEK_MS - 2 * DAY_MS, false),
    );
    return [
      ...usual.flat(),
      ...appointmentsOf(one, options.end - 2 * DAY_MS + faker.number.int(DAY_MS / 2), true),
    ];
  });
  return planned.sort((a, b) => a.at - b.at);
};
