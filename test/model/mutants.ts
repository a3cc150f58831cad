import { type Mutant, mutant } from '../simulation/mutants/mutants.ts';

const MODEL = 'test/model/gateway.qnt';

/** Bugs of the model, each of which breaks a promise of it, or has the program differ from it. */
export const MODEL_MUTANTS: readonly Mutant[] = [
  mutant(
    'an alert does not look for a refund',
    MODEL,
    'move(Set("charge.pre_chargeback", "chargeback_alert.registered", "refund.opened"), isFree(c),',
    'move(Set("charge.pre_chargeback", "chargeback_alert.registered", "refund.opened"), c.status == "paid",',
  ),
  mutant(
    'the part of a refund that is settled comes from nowhere',
    MODEL,
    'available: -sign * (GROSS - unsettled(c))',
    'available: -sign * FEE',
  ),
  mutant(
    'a refund that fails later takes nothing back',
    MODEL,
    'else if (move.after.refund == "none" and wasBooked) returned(c, -1)\n',
    '',
  ),
  mutant(
    'the refusal of an alert leads nowhere',
    MODEL,
    'status == "refused" and not(c.alert)',
    'status == "refused"',
  ),
  mutant('payouts need no cover', MODEL, 's.size() * PAYOUT <= ledger.available', 's.size() <= 2'),
  mutant('what was decided is stored on any version', MODEL, 'command.seen == version', 'version >= 0'),
  mutant(
    'an attempt to collect a cycle does not look for another one',
    MODEL,
    'val isSame = commands.get(by).seen == version',
    'val isSame = true',
  ),
  mutant(
    'a cycle is collected while its charge has no outcome',
    MODEL,
    ' and not(c.isOut) and c.attempts < MOST',
    ' and c.attempts < MOST',
  ),
];

/** Bugs of the program, by which it differs from the model. */
export const PROGRAM_MUTANTS: readonly Mutant[] = [
  mutant(
    'a merchant refund leaves its charge as it is',
    'src/modules/refunds/write/refund-charge.ts',
    'const reserved = await tx.record(CHARGES, charge, reserveForRefund(charge, id, now));',
    'const reserved = charge;',
  ),
  mutant(
    'a refund that failed later stays booked',
    'src/modules/refunds/write/record-refund-outcome.ts',
    'if (before.booked && !after.booked) {',
    'if (before.booked && !after.booked && before.status === "pending") {',
  ),
  mutant(
    'the failure of a refund that was done is no news',
    'src/modules/refunds/write/refund.ts',
    "refund.status === 'refunded' && status === 'failed'",
    'false',
  ),
  mutant(
    'all of a refund comes from what is available',
    'src/modules/charges/write/charge.journal.ts',
    'isCollected ? 0 : unsettled(',
    'true ? 0 : unsettled(',
  ),
  mutant(
    'a payout is covered by what was there before',
    'src/modules/ledger/write/fold-outstanding.ts',
    'available: { $gte: -amount }, ',
    '',
  ),
  mutant(
    'an intent of a refund is only asked about',
    'src/modules/refunds/write/reconcile-refund.ts',
    '(await provider.describeRefund(request)) ?? (await provider.refund(request))',
    '(await provider.describeRefund(request)) ?? UNKNOWN_UNTIL_NOTIFIED',
  ),
];
