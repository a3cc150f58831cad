import { sum } from '../../../kernel/money.ts';
import type { Anticipation } from '../../anticipations/write/anticipation.ts';
import type { Journal } from '../../ledger/write/journal.ts';
import type { Difference } from '../check.ts';

/** Checks that an anticipation agrees with its own parts, and that each of its charges has one journal for it. */
export const checkAnticipation = (
  { id, amount, fee, netAmount, charges }: Anticipation,
  journals: readonly Journal[],
): readonly Difference[] => {
  const fault = (aspect: string, message: string): Difference => ({
    kind: 'anticipation',
    subject: id,
    aspect,
    message,
  });
  const [amounts, fees] = [sum(charges.map((of) => of.amount)), sum(charges.map((of) => of.fee))];
  const expected = charges.map(({ chargeId }) => chargeId).sort();
  const booked = journals.map(({ chargeId }) => chargeId).sort();
  return [
    ...(amount === amounts && fee === fees && netAmount === amount - fee
      ? []
      : [
          fault(
            'figures',
            `says ${amount} less ${fee} makes ${netAmount}, its charges sum to ${amounts} less ${fees}`,
          ),
        ]),
    ...(booked.join() === expected.join()
      ? []
      : [fault('booked', `is booked for [${booked.join()}] and should be for [${expected.join()}]`)]),
  ];
};
