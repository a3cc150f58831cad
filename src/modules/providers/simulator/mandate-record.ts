import type { Timestamp } from '../../../kernel/clock.ts';
import type { MandateTerms } from '../pix/mandate-terms.ts';
import type { MandateState } from '../provider.ts';

/** Which of the charges under a mandate the payer's bank pays. */
export const PAYS = ['always', 'on_retry', 'never'] as const;
export type Pays = (typeof PAYS)[number];

/** A mandate as the simulator keeps it. */
export type SimulatedMandate = {
  /** The simulator's name of it. */
  readonly _id: string;
  readonly status: MandateState['status'];
  readonly failureReason: string | null;
  readonly copyPaste: string | null;
  /** Null for one that was revoked before it arrived. */
  readonly terms:
    | (Pick<MandateTerms, 'amount' | 'minimumAmount' | 'startDate' | 'endDate'> &
        // Absent in mandates that were made before the simulator kept it.
        Partial<Pick<MandateTerms, 'retries'>>)
    | null;
  readonly pays: Pays;
  /** Reference of the payment that the payer makes along with approving; absent without one. */
  readonly firstCharge?: string;
  /** The charge of each cycle that is not withdrawn, by the ISO date on which the cycle is due. */
  readonly cycles: Readonly<Record<string, string>>;
  readonly createdAt: Timestamp;
};
