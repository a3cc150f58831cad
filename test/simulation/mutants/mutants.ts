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

/** Bugs that somebody could write, each of which a run has to find. */
export const MUTANTS: readonly Mutant[] = [
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
    'await tx.record(CHARGES, charge, reserveForRefund(charge, id, now));',
    '',
  ),
];
