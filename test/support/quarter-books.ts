/**
 * The money that a master, its sub-merchants and the gateway have after a quarter. It is computed from the contract
 * alone, without any code of the program. Amounts are integers in minor units.
 */

export const MEMBERS = ['market', 'bakery', 'florist'] as const;
export type Member = (typeof MEMBERS)[number];

/** Fees of the gateway: `percentages` by number of installments, in hundredths of a per cent. */
const SPREADS = {
  'credit_card BRL visa': { fixed: 10, percentages: [249, 301, 333] },
  'credit_card BRL': { fixed: 25, percentages: [310, 355, 400, 425, 450, 499] },
  'credit_card CLP': { fixed: 50, percentages: [390] },
  'pix BRL': { fixed: 0, percentages: [99] },
} as const;
/** Fees of anticipations: `percentages` by periods of 30 days. There are none for CLP. */
const ANTICIPATIONS = {
  'credit_card BRL visa': { fixed: 12, percentages: [150, 275, 390] },
  'credit_card BRL': { fixed: 40, percentages: [199, 350, 490, 610, 725] },
} as const;
export const PAYOUT_FEE = { fixed: 150, hundredths: 75 };
export const ALERT_FEE = 15_50;
export const EXPONENTS: Readonly<Record<string, number>> = { BRL: 2, CLP: 0 };
const DAYS_BETWEEN_PARTS = 30;

export type Sale = {
  readonly seller: Member;
  readonly type: 'credit_card' | 'pix';
  readonly brand: 'visa' | 'mastercard' | null;
  readonly currency: 'BRL' | 'CLP';
  readonly amount: number;
  readonly installments: number;
  /** Percentages with at most two decimals. */
  readonly split: readonly { readonly to: Member; readonly percentage: number }[];
};

export type RefundResult = 'refunded' | 'pending' | 'refused' | 'failed';
type ChargeStatus = 'paid' | 'refused' | 'failed' | 'refunded' | 'pre_chargeback' | 'chargeback';
export type BookedCharge = Sale & {
  readonly id: string;
  readonly spread: number;
  readonly net: number;
  readonly shares: readonly { readonly of: Member; readonly amount: number }[];
  status: ChargeStatus;
  readonly isPaid: boolean;
  settled: number;
  /** How many parts each has available by anticipation, including the parts before them. */
  readonly anticipated: Partial<Record<Member, number>>;
  /** Whether a refund by the merchant waits for the bank. */
  isRefundPending: boolean;
  /** Null before an alert. */
  alertRefund: RefundResult | null;
};

/** A line of a statement. */
export type Entry = {
  readonly of: Member;
  readonly movement: string;
  readonly bucket: 'reserved' | 'available';
  readonly currency: string;
  readonly amount: number;
  readonly chargeId: string | null;
};

/** An anticipation that a member asks for: everything that is left of a charge, or at most this amount in BRL. */
export type Wish = { readonly charge: BookedCharge } | { readonly amount: number };

/** Parts of charges, which for each charge follow those that are available already, with the fee of each charge. */
export type Anticipation = {
  readonly of: Member;
  readonly charges: readonly {
    readonly charge: BookedCharge;
    readonly parts: number;
    readonly amount: number;
    readonly fee: number;
  }[];
};

/** Money that came to the provider or left it unexpectedly. */
export type Stray = {
  readonly id: string;
  readonly direction: 'in' | 'out';
  readonly amount: number;
  readonly currency: string;
  /** The charge that it names; null where there is none. */
  readonly charge: BookedCharge | null;
  status: 'held' | 'returned' | 'booked';
};

export type Books = ReturnType<typeof createBooks>;

type Terms = Readonly<
  Record<string, { readonly fixed: number; readonly percentages: readonly number[] } | undefined>
>;
const definitionsOf = (fee_type: string, terms: Terms): readonly object[] =>
  Object.entries(terms).map(([name, { fixed, percentages } = { fixed: 0, percentages: [] }]) => {
    const [payment_method, currency_code = '', brand = null] = name.split(' ');
    const definition = {
      fixed: fixed / 10 ** (EXPONENTS[currency_code] ?? 0),
      percentages: percentages.map((hundredths) => hundredths / 100),
    };
    return { fee_type, payment_method, currency_code, brand, definition };
  });

/** Fee definitions in the form of the API: decimal, except for payouts. */
export const feeDefinitions = (): readonly object[] => [
  ...definitionsOf('tx_spread', SPREADS),
  ...definitionsOf('anticipation', ANTICIPATIONS),
  {
    fee_type: 'payout',
    currency_code: 'BRL',
    definition: { fixed: PAYOUT_FEE.fixed, variable: PAYOUT_FEE.hundredths / 100 },
  },
];

/** The most installments for each combination of method, currency and brand. */
export const offers = (brands: readonly string[]): Readonly<Record<string, number>> => ({
  ...Object.fromEntries(
    ['BRL', 'CLP'].flatMap((currency) =>
      brands.map((brand) => [
        `credit_card ${currency} ${brand}`,
        termsOf('credit_card', currency, brand).percentages.length,
      ]),
    ),
  ),
  'pix BRL': 1,
});

const termsIn = (terms: Terms, type: string, currency: string, brand: string | null) =>
  terms[`${type} ${currency} ${brand}`] ?? terms[`${type} ${currency}`];

const termsOf = (type: string, currency: string, brand: string | null) => {
  const found = termsIn(SPREADS, type, currency, brand);
  if (!found) throw new Error(`no fee for ${type} ${currency}`);
  return found;
};

const roundHalfUp = (numerator: number, denominator: number): number =>
  Math.floor((2 * numerator + denominator) / (2 * denominator));

/** The shares of a net amount by largest remainder; ties go in the order of the split, with the seller last. */
const sharesOf = (net: number, { seller, split }: Sale): BookedCharge['shares'] => {
  const given = split.map(({ to, percentage }) => ({ of: to, hundredths: Math.round(percentage * 100) }));
  const rest = 10_000 - given.reduce((total, { hundredths }) => total + hundredths, 0);
  const all = [...given, { of: seller, hundredths: rest }].map(({ of, hundredths }) => ({
    of,
    whole: Math.floor((net * hundredths) / 10_000),
    remainder: (net * hundredths) % 10_000,
  }));
  const left = net - all.reduce((total, { whole }) => total + whole, 0);
  return all.map(({ of, whole, remainder }, index) => {
    const before = all.filter(
      (other, at) => other.remainder > remainder || (other.remainder === remainder && at < index),
    );
    return { of, amount: whole + (before.length < left ? 1 : 0) };
  });
};

/** Available amount of a share after this many equal parts, with the odd cents in the first. */
const settledOf = (share: number, parts: number, settled: number): number =>
  settled === 0 ? 0 : share - Math.floor(share / parts) * (parts - settled);

export const payoutFeeOf = (amount: number): number =>
  PAYOUT_FEE.fixed + roundHalfUp(amount * PAYOUT_FEE.hundredths, 10_000);

type Part = { readonly number: number; readonly dueInDays: number; readonly amount: number };

/** Everything is paid today; cards are settled after `cardDelayDays`, Pix at once. */
export const createBooks = (cardDelayDays: number) => {
  const entries: Entry[] = [];
  const charges: BookedCharge[] = [];
  /** Each event as `name id`, with the member that it concerns. */
  const events: { readonly of: Member; readonly name: string; readonly about: string }[] = [];
  /** Bookings of refunds that may still fail. */
  const taken = new Map<string, readonly Entry[]>();
  const anticipations: (Anticipation & { readonly id: string })[] = [];
  const strays: Stray[] = [];

  const balance = (of: Member, bucket: Entry['bucket']): number =>
    entries
      .filter((entry) => entry.of === of && entry.bucket === bucket && entry.currency === 'BRL')
      .reduce((total, { amount }) => total + amount, 0);

  const dueInDays = ({ type }: BookedCharge, part: number): number =>
    (type === 'pix' ? 0 : cardDelayDays) + DAYS_BETWEEN_PARTS * (part - 1);
  /** How many parts of a charge a member has available, by settlement or anticipation. */
  const reached = ({ settled, anticipated }: BookedCharge, of: Member): number =>
    Math.max(settled, anticipated[of] ?? 0);
  const isOpen = ({ status, isRefundPending }: BookedCharge): boolean =>
    status === 'paid' && !isRefundPending;

  /** The parts of a member's share that are not available yet; parts of zero are left out. */
  const partsLeft = (charge: BookedCharge, of: Member): readonly Part[] => {
    const share = charge.shares.find((one) => one.of === of)?.amount ?? 0;
    const upTo = (parts: number): number => settledOf(share, charge.installments, parts);
    return Array.from({ length: charge.installments }, (_, index) => ({
      number: index + 1,
      dueInDays: dueInDays(charge, index + 1),
      amount: upTo(index + 1) - upTo(index),
    })).filter(({ number, amount }) => number > reached(charge, of) && amount > 0);
  };

  /** The charges with the parts that are taken of them, in the order of their first parts. */
  const partsFor = (of: Member, wish: Wish): Anticipation['charges'] => {
    const wanted = 'charge' in wish ? [wish.charge] : charges.filter(({ currency }) => currency === 'BRL');
    const offered = wanted.filter(isOpen).flatMap((charge) => {
      const terms = termsIn(ANTICIPATIONS, charge.type, charge.currency, charge.brand);
      if (!terms) return [];
      return partsLeft(charge, of).flatMap(({ number, dueInDays: days, amount }) => {
        const period = Math.max(1, Math.ceil(days / 30));
        const hundredths = terms.percentages[period - 1];
        if (hundredths === undefined) return [];
        const fee = roundHalfUp(amount * hundredths * days, 10_000 * 30 * period);
        return [{ charge, number, days, amount, fee, fixed: terms.fixed }];
      });
    });
    // Charges are in the order of payment, which the stable sort keeps among parts of one day.
    offered.sort((left, right) => left.days - right.days);
    let left = 'amount' in wish ? wish.amount : Number.POSITIVE_INFINITY;
    const passedOver = new Set<BookedCharge>();
    const found = new Map<BookedCharge, Anticipation['charges'][number]>();
    for (const { charge, number, amount, fee, fixed } of offered) {
      if (passedOver.has(charge)) continue;
      if (amount > left) {
        passedOver.add(charge);
        continue;
      }
      left -= amount;
      const sofar = found.get(charge) ?? { amount: 0, fee: fixed };
      found.set(charge, {
        charge,
        parts: number,
        amount: sofar.amount + amount,
        fee: sofar.fee + fee,
      });
    }
    return [...found.values()];
  };

  const book = (lines: readonly Entry[]): readonly Entry[] => {
    const moved = lines.filter(({ amount }) => amount !== 0);
    entries.push(...moved);
    return moved;
  };
  const tell = (of: Member, name: string, about: string): void => {
    events.push({ of, name, about });
  };
  const sellersLine = ({ seller, currency, id }: BookedCharge) => ({
    of: seller,
    currency,
    chargeId: id,
    bucket: 'reserved' as const,
  });

  /**
   * Everybody gives the share back, and the seller also the part that only the payer gets; unsettled parts come first.
   */
  const takeBack = (charge: BookedCharge, ofSeller: string, ofOthers: string): readonly Entry[] => {
    const given = charge.shares.slice(0, -1).reduce((total, { amount }) => total + amount, 0);
    return book(
      charge.shares.flatMap(({ of, amount: share }, index): Entry[] => {
        const isSeller = index === charge.shares.length - 1;
        const owed = isSeller ? charge.amount - given : share;
        const reserved = share - settledOf(share, charge.installments, reached(charge, of));
        const line = {
          of,
          movement: isSeller ? ofSeller : ofOthers,
          currency: charge.currency,
          chargeId: charge.id,
        };
        return [
          { ...line, bucket: 'reserved', amount: -reserved },
          { ...line, bucket: 'available', amount: reserved - owed },
        ];
      }),
    );
  };

  const complete = (charge: BookedCharge): void => {
    charge.isRefundPending = false;
    charge.status = 'refunded';
    tell(charge.seller, 'charge.refunded', charge.id);
  };

  return {
    entries: entries as readonly Entry[],
    charges: charges as readonly BookedCharge[],
    events: events as readonly (typeof events)[number][],
    anticipations: anticipations as readonly (typeof anticipations)[number][],
    strays: strays as readonly Stray[],
    tell,
    isOpen,

    /** In BRL. */
    available: (of: Member): number => balance(of, 'available'),
    reserved: (of: Member): number => balance(of, 'reserved'),

    sell(sale: Sale, id: string, status: 'paid' | 'refused' | 'failed'): BookedCharge {
      const { fixed, percentages } = termsOf(sale.type, sale.currency, sale.brand);
      const percentage = percentages[sale.installments - 1] ?? 0;
      const spread = Math.min(sale.amount, fixed + roundHalfUp(sale.amount * percentage, 10_000));
      const net = sale.amount - spread;
      const charge: BookedCharge = {
        ...sale,
        id,
        spread,
        net,
        shares: sharesOf(net, sale),
        status,
        isPaid: status === 'paid',
        settled: 0,
        anticipated: {},
        isRefundPending: false,
        alertRefund: null,
      };
      charges.push(charge);
      tell(sale.seller, 'charge.created', id);
      if (sale.type === 'pix') tell(sale.seller, 'charge.pending', id);
      tell(sale.seller, `charge.${status}`, id);
      if (!charge.isPaid) return charge;
      const line = sellersLine(charge);
      book([
        { ...line, movement: 'charge', amount: sale.amount },
        { ...line, movement: 'charge_spread', amount: -spread },
        ...charge.shares.slice(0, -1).flatMap(({ of, amount }) => [
          { ...line, movement: 'split_debit', amount: -amount },
          { ...line, of, movement: 'split_credit', amount },
        ]),
      ]);
      return charge;
    },

    /** Settles everything that is due by the end of this day, counted from the day of payment. */
    settle(day: number): void {
      for (const charge of charges.filter(isOpen))
        for (
          ;
          charge.settled < charge.installments && dueInDays(charge, charge.settled + 1) <= day;
          charge.settled += 1
        )
          for (const { of } of charge.shares) {
            const [next] = partsLeft(charge, of);
            if (next?.number !== charge.settled + 1) continue;
            const line = { ...sellersLine(charge), of, movement: 'settlement' };
            book([
              { ...line, amount: -next.amount },
              { ...line, bucket: 'available', amount: next.amount },
            ]);
          }
    },

    /** The outcome of a wish; the code of the refusal where there is one. */
    quote(of: Member, wish: Wish): Anticipation | string {
      if ('charge' in wish) {
        const { charge } = wish;
        if (!isOpen(charge)) return 'CHARGE_NOT_ANTICIPATABLE';
        if (!termsIn(ANTICIPATIONS, charge.type, charge.currency, charge.brand))
          return 'ANTICIPATION_FEE_NOT_CONFIGURED';
      }
      const found = partsFor(of, wish);
      if (found.length === 0) return 'NOTHING_TO_ANTICIPATE';
      const worth = found.filter(({ amount, fee }) => fee < amount);
      return worth.length === 0 ? 'ANTICIPATION_AMOUNT_TOO_LOW' : { of, charges: worth };
    },

    anticipate(id: string, anticipation: Anticipation): void {
      const { of } = anticipation;
      for (const { charge, parts, amount, fee } of anticipation.charges) {
        const line = { ...sellersLine(charge), of };
        book([
          { ...line, movement: 'anticipation', amount: -amount },
          { ...line, movement: 'anticipation', bucket: 'available', amount },
          { ...line, movement: 'anticipation_fee', bucket: 'available', amount: -fee },
        ]);
        charge.anticipated[of] = parts;
      }
      anticipations.push({ id, ...anticipation });
    },

    stray(money: Omit<Stray, 'status'>): Stray {
      const stray: Stray = { ...money, status: 'held' };
      strays.push(stray);
      return stray;
    },

    returnStray(stray: Stray): void {
      stray.status = 'returned';
    },

    /** Books stray money to this member, or out of its balance; null for the gateway. */
    bookStray(stray: Stray, of: Member | null): void {
      stray.status = 'booked';
      const { amount, currency } = stray;
      if (of === null) return;
      book([
        {
          of,
          movement: 'suspense_clearing',
          bucket: 'available',
          currency,
          amount: stray.direction === 'in' ? amount : -amount,
          chargeId: null,
        },
      ]);
    },

    refund(charge: BookedCharge, refundId: string, result: RefundResult): void {
      if (result === 'refused' || result === 'failed') tell(charge.seller, `refund.${result}`, refundId);
      else taken.set(refundId, takeBack(charge, 'refund', 'refund_split'));
      charge.isRefundPending = result === 'pending';
      if (result === 'refunded') complete(charge);
    },

    complete,

    /** Takes a refund back that the bank had accepted but did not carry out. */
    takeBackRefund(charge: BookedCharge, refundId: string, result: 'refused' | 'failed'): void {
      charge.isRefundPending = false;
      const reversed = taken.get(refundId) ?? [];
      book(reversed.map((entry) => ({ ...entry, movement: 'refund_reversal', amount: -entry.amount })));
      tell(charge.seller, `refund.${result}`, refundId);
    },

    alert(charge: BookedCharge, refund: RefundResult): void {
      charge.alertRefund = refund;
      charge.status = 'pre_chargeback';
      takeBack(charge, 'chargeback_alert_refund', 'chargeback_alert_refund');
      const fee = { ...sellersLine(charge), bucket: 'available' as const, currency: 'BRL' };
      book([{ ...fee, movement: 'chargeback_alert_fee', amount: -ALERT_FEE }]);
      tell(charge.seller, 'charge.pre_chargeback', charge.id);
    },

    chargeback(charge: BookedCharge): void {
      if (charge.status === 'paid') takeBack(charge, 'chargeback', 'chargeback');
      charge.status = 'chargeback';
      tell(charge.seller, 'charge.chargeback', charge.id);
    },

    payOut(of: Member, payoutId: string, amount: number): void {
      const fee = payoutFeeOf(amount);
      const line = { of, bucket: 'available' as const, currency: 'BRL', chargeId: null };
      book([
        { ...line, movement: 'payout', amount: fee - amount },
        { ...line, movement: 'payout_fee', amount: -fee },
      ]);
      tell(of, 'payout.approved', payoutId);
    },

    returnPayout(of: Member, payoutId: string, amount: number): void {
      const fee = payoutFeeOf(amount);
      const line = { of, bucket: 'available' as const, currency: 'BRL', chargeId: null };
      book([
        { ...line, movement: 'payout_reversal', amount: amount - fee },
        { ...line, movement: 'payout_fee_reversal', amount: fee },
      ]);
      tell(of, 'payout.failed', payoutId);
    },

    adjust(of: Member, amount: number): void {
      book([{ of, movement: 'adjustment', bucket: 'available', currency: 'BRL', amount, chargeId: null }]);
    },
  };
};
