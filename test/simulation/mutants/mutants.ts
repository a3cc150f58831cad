/** A bug that is planted: a text of one source file that occurs there once, and the text in its place. */
export type Mutant = {
  readonly name: string;
  readonly file: string;
  readonly text: string;
  readonly instead: string;
};

export const mutant = (name: string, file: string, text: string, instead: string): Mutant => ({
  name,
  file,
  text,
  instead,
});

const WRITE_STORE = 'src/platform/write-store';
const REFUNDS = 'src/modules/refunds/write';

/** Bugs that were chosen with the simulation in view, some of which were in the program before. */
const CHOSEN: readonly Mutant[] = [
  mutant(
    'a cycle begins although its subscription has ended',
    'src/modules/subscriptions/write/collect-cycle.ts',
    'if (fresh?.version !== seen.version) throw new AttemptSuperseded();',
    'if (!fresh) throw new AttemptSuperseded();',
  ),
  mutant(
    'an outbox row is forgotten',
    `${WRITE_STORE}/outbox.ts`,
    'const cut = rows.map(',
    'const cut = rows.slice(rows.length > 6 ? 1 : 0).map(',
  ),
  mutant(
    'a lost race is told to the caller',
    `${WRITE_STORE}/failures.ts`,
    '  error instanceof VersionConflict ||\n',
    '',
  ),
  mutant(
    'a view takes the oldest of several changes',
    'src/platform/read-store/projector.ts',
    'seen.version < data.version',
    'seen.version > data.version',
  ),
  mutant(
    'a time-out is taken as a refusal',
    'src/modules/charges/write/ask-providers.ts',
    'return hasNext ? proofOf(provider, charge).catch(() => null) : null;',
    "return { status: 'refused', pspRefId: charge.id, failureReason: 'declined', paidAt: null, instructions: null, echo: null };",
  ),
  mutant(
    'a refund does not reserve its charge',
    'src/modules/refunds/write/refund-charge.ts',
    'const reserved = await tx.record(CHARGES, charge, reserveForRefund(charge, id, now));',
    'const reserved = charge;',
  ),
  mutant(
    'a refund that fails after its success is no news',
    `${REFUNDS}/refund.ts`,
    "refund.status === 'refunded' && status === 'failed'",
    'false',
  ),
  mutant(
    'a refund that did not succeed stays booked',
    `${REFUNDS}/record-refund-outcome.ts`,
    'if (before.booked && !after.booked) {',
    'if (before.booked && !after.booked && before.alertId !== null) {',
  ),
  mutant(
    'a refused refund keeps its charge',
    `${REFUNDS}/record-refund-outcome.ts`,
    'return refund.blocking ? charge : tx.record(CHARGES, charge, releaseFromRefund(charge, now));',
    'return charge;',
  ),
  mutant(
    'a refund has a new reference each time that it is requested',
    `${REFUNDS}/refund.ts`,
    'reference: refund.id,',
    'reference: refund.id + Date.now(),',
  ),
  mutant(
    'all of a refund comes from what is available',
    'src/modules/charges/write/charge.journal.ts',
    'isCollected ? 0 : unsettled(',
    'true ? 0 : unsettled(',
  ),
  mutant(
    'a payment is not booked',
    'src/modules/charges/write/record-payment-outcome.ts',
    "if (next.status === 'paid') await postJournal(tx, paidJournal(next, now, deps.newId));",
    '',
  ),
  mutant(
    'anybody may send news of the provider',
    'src/modules/providers/simulator/simulator.ts',
    "isSigned(typeof header === 'string' ? header : undefined, body, deps.secrets, deps.clock())",
    'isSigned === undefined || header !== undefined',
  ),
  mutant(
    'a chargeback does not wait for a refund',
    'src/modules/chargebacks/write/confirm-chargeback.ts',
    "if (refund?.status === 'pending') throw refundPending();",
    '',
  ),
  mutant(
    'a refusal is believed although what it relied on has changed meanwhile',
    `${WRITE_STORE}/transact.ts`,
    'if (!mayRunAgain(refusal)) await assertOneMoment();',
    '',
  ),
  mutant(
    'a second change of a record keeps what it leaves out',
    `${WRITE_STORE}/write-set.ts`,
    'fields: write.isPartial ? { ...before.fields, ...write.fields } : write.fields,',
    'fields: { ...before.fields, ...write.fields },',
  ),
  mutant(
    'a refund is refused that the provider only does not show yet',
    'src/modules/providers/pix-api/pix-api.ts',
    "throw new NotShownYet('a devolucao');",
    "return refusedRefund('not_found');",
  ),
  mutant(
    'an answer with an error counts as delivered',
    'src/modules/webhooks/write/delivery.ts',
    'error === null && statusCode !== null && statusCode >= 200 && statusCode < 300;',
    'error === null && statusCode !== null && statusCode >= 200;',
  ),
  mutant(
    'an anticipation is not booked',
    'src/modules/anticipations/write/anticipate.ts',
    'await postJournal(tx, anticipationJournal({ id, merchantId }, taken, charge, now, deps.newId));',
    '',
  ),
  mutant(
    'a transfer to a bank is not booked',
    'src/modules/payouts/write/process-payout-request.ts',
    'await postJournal(tx, journalOf(request, now, deps.newId));',
    "if (report.status !== 'sent') await postJournal(tx, journalOf(request, now, deps.newId));",
  ),
  mutant(
    'finance pays back what the acquirer has paid back',
    'src/modules/chargebacks/write/pay-back-once.ts',
    "if (request && request.status === 'pending')",
    "if (request && request.status === 'resolved')",
  ),
];

/** Bugs that were written by somebody who had read the program, and neither the workload nor the checks of a run. */
const BLIND: readonly Mutant[] = [
  mutant(
    'a settled part is not booked',
    'src/modules/settlement/write/settle-due.ts',
    'if (journal.postings.length > 0) await postJournal(tx, journal);',
    '',
  ),
  mutant(
    'nothing falls due any more after a refund that failed later',
    'src/modules/charges/write/settlement-schedule.ts',
    'due: due && { ...due, nextAt },',
    'due: due && { ...due, nextAt: null },',
  ),
  mutant(
    'a chargeback is not booked',
    'src/modules/chargebacks/write/confirm-chargeback.ts',
    'await postJournal(tx, chargebackJournal(charge, now, newId));',
    '',
  ),
  mutant(
    'a refund that is done at once is not booked',
    `${REFUNDS}/record-refund-outcome.ts`,
    'if (after.booked && !before.booked) await postJournal(',
    "if (after.booked && !before.booked && after.status === 'pending') await postJournal(",
  ),
  mutant(
    'a payment that its provider does not know is never ended',
    'src/modules/charges/write/reconcile-charge.ts',
    "const isLost = known === null || (known.status === 'pending' && isOver);",
    "const isLost = known !== null && known.status === 'pending' && isOver;",
  ),
  mutant(
    'a payment that was made in time is over',
    'src/modules/charges/write/reconcile-charge.ts',
    "const isExpired = isOver && state.status !== 'paid' && charge.instructions !== null;",
    'const isExpired = isOver && charge.instructions !== null;',
  ),
  mutant(
    'a cycle is not told that it is paid',
    'src/modules/subscriptions/write/cycle.ts',
    "status: outcome.outcome === 'paid' ? 'paid' : cycle.status,",
    'status: cycle.status,',
  ),
  mutant(
    'the fee of an alert is not booked',
    'src/modules/chargebacks/write/register-alert.ts',
    'await postJournal(tx, feeJournal);',
    '',
  ),
  mutant(
    'a chargeback leaves it to finance to pay back',
    'src/modules/chargebacks/write/confirm-chargeback.ts',
    'await payBackOnce(tx, confirmed, refund, source, now, newId);',
    '',
  ),
];

/** Bugs that somebody could write, each of which a run has to find. */
export const MUTANTS: readonly Mutant[] = [...BLIND, ...CHOSEN];
