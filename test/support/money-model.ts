import fc from 'fast-check';

/** The provider's next answer about a refund of a charge. */
export type Answer = 'refunded' | 'pending' | 'refused' | 'failed';

/**
 * One step in the random life of a merchant and its partner; `charge` counts back from the newest charge, and starts
 * again after the oldest.
 */
export type Step =
  | {
      readonly step: 'pay';
      /** In cents. */
      readonly amount: number;
      readonly installments: number;
      /** Percentage for the partner, with at most two decimals; 0 for no split. */
      readonly share: number;
      readonly answer: Answer;
    }
  | { readonly step: 'wait'; readonly days: number }
  | { readonly step: 'settle' }
  | {
      readonly step: 'payout';
      readonly who: 'merchant' | 'partner';
      /** Percentage of the amount that is available according to the model. */
      readonly part: number;
      /** Whether the bank returns the payout. */
      readonly fails: boolean;
    }
  | {
      readonly step: 'anticipate';
      readonly who: 'merchant' | 'partner';
      /** A charge, or a percentage of the amount that is reserved according to the model. */
      readonly of: { readonly charge: number } | { readonly part: number };
    }
  | { readonly step: 'refund' | 'alert' | 'chargeback' | 'report'; readonly charge: number }
  | { readonly step: 'finish'; readonly charge: number; readonly as: 'refunded' | 'refused' | 'failed' };

const pick = { charge: fc.nat({ max: 5 }) };
export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      step: fc.constant('pay' as const),
      amount: fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 10_000_000 })),
      installments: fc.integer({ min: 1, max: 12 }),
      share: fc.oneof(
        fc.constant(0),
        fc.integer({ min: 1, max: 10_000 }).map((scaled) => scaled / 100),
      ),
      answer: fc.constantFrom<Answer>('refunded', 'pending', 'refused', 'failed'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ step: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 45 }) }),
  },
  { weight: 3, arbitrary: fc.record({ step: fc.constant('settle' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      step: fc.constant('payout' as const),
      who: fc.constantFrom('merchant' as const, 'partner' as const),
      part: fc.oneof(fc.constant(100), fc.integer({ min: 1, max: 130 })),
      fails: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      step: fc.constant('anticipate' as const),
      who: fc.constantFrom('merchant' as const, 'partner' as const),
      of: fc.oneof(
        fc.record(pick),
        fc.record({ part: fc.oneof(fc.constant(100), fc.integer({ min: 1, max: 130 })) }),
      ),
    }),
  },
  { weight: 3, arbitrary: fc.record({ step: fc.constant('refund' as const), ...pick }) },
  { weight: 1, arbitrary: fc.record({ step: fc.constant('alert' as const), ...pick }) },
  { weight: 1, arbitrary: fc.record({ step: fc.constant('chargeback' as const), ...pick }) },
  { weight: 1, arbitrary: fc.record({ step: fc.constant('report' as const), ...pick }) },
  {
    weight: 2,
    arbitrary: fc.record({
      step: fc.constant('finish' as const),
      as: fc.constantFrom('refunded', 'refused', 'failed'),
      ...pick,
    }),
  },
);

export const FEE_PER_CENT = 3;
export const ALERT_FEE = 15_50;
export const DELAY_DAYS = 30;
/** In cents; it is included in the debit of a payout. */
export const PAYOUT_FEE = 1;
/** Fee of an anticipation: cents for each charge, and hundredths of a per cent for each period of 30 days. */
export const ANTICIPATION_FIXED = 7;
export const ANTICIPATION_PER_MYRIAD: readonly number[] = [199, 405, 650, 650, 1_234, 1_500, 1_750, 9_999];

type Buckets = { readonly available: number; readonly reserved: number };
export type Balances = { readonly merchant: Buckets; readonly partner: Buckets };

/** The gateway under test. Each command returns whether it was carried out; false where a rule refuses it. */
export type Driver = {
  pay(step: Extract<Step, { step: 'pay' }>): Promise<string>;
  /** Settles everything that is due by the middle of this day. */
  settle(day: number): Promise<void>;
  /** Requests a payout of this many cents and approves it. */
  payout(who: 'merchant' | 'partner', amount: number, fails: boolean): Promise<boolean>;
  anticipate(
    who: 'merchant' | 'partner',
    request: { readonly chargeId: string } | { readonly amount: number },
  ): Promise<boolean>;
  refund(chargeId: string): Promise<boolean>;
  alert(chargeId: string): Promise<boolean>;
  chargeback(chargeId: string): Promise<boolean>;
  /** Lets the provider report a chargeback. */
  report(chargeId: string): Promise<'applied' | 'waiting' | 'suspense' | 'ignored'>;
  finish(chargeId: string, as: Answer): Promise<boolean>;
  /** Lets time pass; returns the day on which a payment would be made now. */
  goTo(day: number): number;
  balances(): Promise<Balances>;
  statusOf(chargeId: string): Promise<string>;
};

/**
 * A charge in the model, which has no journals and no events, only the amounts that everybody should have in the end.
 */
type Paid = {
  readonly id: string;
  readonly amount: number;
  /** The shares of merchant and partner. */
  readonly own: number;
  readonly given: number;
  readonly isShared: boolean;
  readonly parts: number;
  readonly paidOn: number;
  readonly answer: Answer;
  settled: number;
  /** How many parts each has available by anticipation, including the parts before them. */
  readonly anticipated: { merchant: number; partner: number };
  status: 'paid' | 'refunded' | 'pre_chargeback' | 'chargeback';
  /** Whether a refund waits for the bank; the money is taken back already. */
  pending: boolean;
  /** Whether a chargeback that the provider reported waits for the refund. */
  isChargebackWaiting: boolean;
  /** Whether the waiting refund is an alert's instead of the merchant's. */
  isAlertPending: boolean;
  hasFee: boolean;
};

const halfUp = (numerator: number, denominator: number): number =>
  Math.floor((2 * numerator + denominator) / (2 * denominator));

/** The partner's share by largest remainder; the partner comes first where both remainders are equal. */
const shareOf = (net: number, percent: number): number => {
  const scaled = Math.round(percent * 100);
  const exact = net * scaled;
  const rest = exact % 10_000;
  const other = (net * (10_000 - scaled)) % 10_000;
  const floor = Math.floor(exact / 10_000);
  return rest > 0 && rest >= other ? floor + 1 : floor;
};

const settledOf = (share: number, parts: number, settled: number): number => {
  if (settled === 0) return 0;
  const each = Math.floor(share / parts);
  return share - each * (parts - settled);
};

/** The outcome of a chargeback that the provider reports; one of a refunded charge debits nobody. */
const reportOf = ({ status, pending, isAlertPending, isChargebackWaiting }: Paid): string => {
  if (status === 'chargeback' || isChargebackWaiting) return 'ignored';
  if (status === 'refunded') return 'suspense';
  return pending || isAlertPending ? 'waiting' : 'applied';
};

/**
 * The charges that an anticipation takes parts of, with the number of parts that are available after it, and the fee.
 */
const soonest = (charges: readonly Paid[], who: 'merchant' | 'partner', day: number, atMost: number) => {
  const open = charges.flatMap((charge) => {
    const share = who === 'merchant' ? charge.own : charge.given;
    const each = Math.floor(share / charge.parts);
    return Array.from({ length: charge.parts }, (_, index) => {
      const amount = index === 0 ? share - each * (charge.parts - 1) : each;
      const dueOn = charge.paidOn + DELAY_DAYS + 30 * index;
      const days = Math.max(0, dueOn - day);
      const period = Math.max(1, Math.ceil(days / 30));
      return { charge, number: index + 1, amount, dueOn, days, period };
    }).filter(
      ({ number, amount, period }) =>
        number > Math.max(charge.settled, charge.anticipated[who]) &&
        amount > 0 &&
        period <= ANTICIPATION_PER_MYRIAD.length,
    );
  });
  open.sort((a, b) => a.dueOn - b.dueOn || (a.charge.id < b.charge.id ? -1 : 1));
  const taken = new Map<Paid, { parts: number; amount: number; fee: number }>();
  const closed = new Set<Paid>();
  let left = atMost;
  for (const { charge, number, amount, days, period } of open) {
    if (closed.has(charge)) continue;
    if (amount > left) {
      closed.add(charge);
      continue;
    }
    left -= amount;
    const perMyriad = ANTICIPATION_PER_MYRIAD[period - 1] ?? 0;
    const fee = halfUp(amount * perMyriad * days, 10_000 * 30 * period);
    const known = taken.get(charge) ?? { parts: 0, amount: 0, fee: ANTICIPATION_FIXED };
    taken.set(charge, { parts: number, amount: known.amount + amount, fee: known.fee + fee });
  }
  return [...taken]
    .filter(([, { amount, fee }]) => fee < amount)
    .map(([charge, { parts, fee }]) => ({ charge, parts, fee }));
};

/** Takes the steps with both the gateway and the model; throws where they first differ. */
export const walk = async (driver: Driver, steps: readonly Step[]): Promise<void> => {
  const charges: Paid[] = [];
  const paidOut = { merchant: 0, partner: 0 };
  const anticipationFees = { merchant: 0, partner: 0 };
  let day = 0;
  const isGone = (charge: Paid): boolean => charge.status !== 'paid' || charge.pending;
  const expected = (): Balances => {
    const merchant = { available: -paidOut.merchant - anticipationFees.merchant, reserved: 0 };
    const partner = { available: -paidOut.partner - anticipationFees.partner, reserved: 0 };
    for (const charge of charges) {
      if (charge.hasFee) merchant.available -= ALERT_FEE;
      if (isGone(charge)) {
        merchant.available -= charge.amount - charge.own - charge.given;
        continue;
      }
      for (const [who, share, anticipated] of [
        [merchant, charge.own, charge.anticipated.merchant],
        [partner, charge.given, charge.anticipated.partner],
      ] as const) {
        const settled = settledOf(share, charge.parts, Math.max(charge.settled, anticipated));
        who.available += settled;
        who.reserved += share - settled;
      }
    }
    return { merchant, partner };
  };

  const chosen = (number: number): Paid | undefined =>
    charges[charges.length - 1 - (number % Math.max(1, charges.length))];

  const anticipate = async (
    { who, of }: Extract<Step, { step: 'anticipate' }>,
    today: number,
  ): Promise<void> => {
    const named = 'charge' in of ? chosen(of.charge) : null;
    if (named === undefined || (who === 'partner' && named?.isShared === false)) return;
    const atMost = 'part' in of ? Math.max(1, Math.floor((expected()[who].reserved * of.part) / 100)) : null;
    const request = named ? { chargeId: named.id } : { amount: atMost ?? 0 };
    const taken = soonest(
      (named ? [named] : charges).filter((charge) => !isGone(charge)),
      who,
      today,
      atMost ?? Number.POSITIVE_INFINITY,
    );
    const happened = await driver.anticipate(who, request);
    if (happened !== taken.length > 0)
      throw new Error(
        `an anticipation of ${JSON.stringify(request)} ${happened ? 'happened' : 'was refused'}`,
      );
    for (const { charge, parts, fee } of taken) {
      charge.anticipated[who] = parts;
      anticipationFees[who] += fee;
    }
  };

  const take = async (step: Step): Promise<void> => {
    if (step.step === 'wait') {
      day += step.days;
      return;
    }
    const paidOn = driver.goTo(day);
    if (step.step === 'pay') {
      const id = await driver.pay(step);
      const net = step.amount - Math.min(step.amount, halfUp(step.amount * FEE_PER_CENT, 100));
      const given = step.share > 0 ? shareOf(net, step.share) : 0;
      charges.push({
        id,
        amount: step.amount,
        own: net - given,
        given,
        isShared: step.share > 0,
        parts: step.installments,
        paidOn,
        answer: step.answer,
        settled: 0,
        anticipated: { merchant: 0, partner: 0 },
        status: 'paid',
        pending: false,
        isChargebackWaiting: false,
        isAlertPending: false,
        hasFee: false,
      });
      return;
    }
    if (step.step === 'settle') {
      await driver.settle(day);
      for (const charge of charges)
        while (
          !isGone(charge) &&
          charge.settled < charge.parts &&
          charge.paidOn + DELAY_DAYS + 30 * charge.settled <= day
        )
          charge.settled += 1;
      return;
    }
    if (step.step === 'payout') {
      const { available } = expected()[step.who];
      const amount = Math.max(PAYOUT_FEE + 1, Math.floor((available * step.part) / 100));
      const isPaid = await driver.payout(step.who, amount, step.fails);
      if (isPaid !== amount <= available)
        throw new Error(`a payout of ${amount} of ${available} ${isPaid ? 'happened' : 'was refused'}`);
      if (isPaid && !step.fails) paidOut[step.who] += amount;
      return;
    }
    if (step.step === 'anticipate') {
      await anticipate(step, paidOn);
      return;
    }
    const charge = chosen(step.charge);
    if (!charge) return;
    const isFree = !isGone(charge);
    const mayHappen = (happened: boolean, may: boolean): void => {
      if (happened !== may)
        throw new Error(`${step.step} of ${charge.id} ${happened ? 'happened' : 'was refused'}`);
    };
    switch (step.step) {
      case 'refund':
        mayHappen(await driver.refund(charge.id), isFree);
        if (!isFree) return;
        if (charge.answer === 'refunded') charge.status = 'refunded';
        charge.pending = charge.answer === 'pending';
        return;
      case 'alert':
        mayHappen(await driver.alert(charge.id), isFree);
        if (!isFree) return;
        charge.status = 'pre_chargeback';
        charge.hasFee = true;
        charge.isAlertPending = charge.answer === 'pending';
        return;
      case 'chargeback': {
        const may = isFree || (charge.status === 'pre_chargeback' && !charge.isAlertPending);
        mayHappen(await driver.chargeback(charge.id), may);
        if (may) charge.status = 'chargeback';
        return;
      }
      case 'report': {
        const is = await driver.report(charge.id);
        const should = reportOf(charge);
        if (is !== should)
          throw new Error(`a chargeback reported of ${charge.id} is ${is} and not ${should}`);
        if (is === 'applied') charge.status = 'chargeback';
        if (is === 'waiting') charge.isChargebackWaiting = true;
        return;
      }
      case 'finish': {
        const may = charge.pending || charge.isAlertPending;
        mayHappen(await driver.finish(charge.id, step.as), may);
        if (charge.pending && step.as === 'refunded') charge.status = 'refunded';
        else if (charge.isChargebackWaiting) charge.status = 'chargeback';
        charge.isChargebackWaiting = false;
        charge.pending = false;
        charge.isAlertPending = false;
      }
    }
  };

  for (const step of steps) {
    await take(step);
    const [is, should] = [JSON.stringify(await driver.balances()), JSON.stringify(expected())];
    if (is !== should) throw new Error(`after ${JSON.stringify(step)}: ${is} and not ${should}`);
    for (const { id, status } of charges) {
      const found = await driver.statusOf(id);
      if (found !== status)
        throw new Error(`after ${JSON.stringify(step)}: ${id} is ${found} and not ${status}`);
    }
  }
};
