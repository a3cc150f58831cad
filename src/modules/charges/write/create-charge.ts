import type { Command } from '../../../kernel/event.ts';
import type { ChargeId } from '../../../kernel/ids.ts';
import { holdCustomer } from '../../customers/write/hold-customer.ts';
import type { KeepWithCharge } from '../../stored-methods/write/keep-with-charge.ts';
import { STORED_METHODS } from '../../stored-methods/write/stored-methods.store.ts';
import type { AskProviders } from './ask-providers.ts';
import { CHARGES, type FindDuplicate, type FindHolder } from './charge.store.ts';
import type { Charge } from './charge.ts';
import { createInFlight } from './in-flight.ts';
import { isCardRefused } from './note-late-outcome.ts';
import {
  type ChargeCommand,
  createPrepareCharge,
  type PrepareDeps,
  type PreparedCharge,
} from './prepare-charge.ts';
import type { RecordPaymentOutcome } from './record-payment-outcome.ts';
import { referenceAlreadyUsed } from './refusals.ts';
import { takeReference } from './unique-reference.ts';

export type CreateCharge = Command<
  ChargeCommand,
  { readonly charge: Charge; readonly possibleDuplicateOf: ChargeId | null }
>;

const DUPLICATE_WITHIN_MS = 60_000;

/**
 * Prepares the charge, stores the intent, asks the provider, stores the outcome. Answers with the charge as it stands
 * then. It is still `pending` where the provider did not answer in time, for the reconciler to resolve.
 */
export const createChargeHandler = (
  deps: PrepareDeps & {
    readonly findDuplicate: FindDuplicate;
    readonly findHolder: FindHolder;
    readonly keepWithCharge: Pick<KeepWithCharge, 'finish'>;
    readonly askProviders: AskProviders;
    readonly recordPaymentOutcome: RecordPaymentOutcome;
  },
): CreateCharge => {
  const inFlight = createInFlight();
  const prepare = createPrepareCharge(deps);
  return async (command, context) => {
    const prepared = await prepare(command, context);
    const { asked, opened, terms, kept, createdAt } = prepared;
    const { duplicateKey } = opened.data;
    if (terms.uniqueReferences) {
      // Charges that were made before the setting was turned on have not taken their reference, so `takeReference` does
      // not see them.
      const holder = await deps.findHolder(opened.data);
      if (holder !== null) throw referenceAlreadyUsed(holder);
    }
    const storeIntent = deps.transact(context, async (tx) => {
      await prepared.spend(tx);
      if (terms.uniqueReferences) await takeReference(tx, opened.data);
      if (kept) {
        await holdCustomer(tx, kept.opened.data.customerId);
        await tx.record(STORED_METHODS, null, kept.opened);
      }
      await command.madeFor?.claim(tx, opened.data);
      return tx.record(CHARGES, null, opened);
    });
    const intent = await inFlight.track(duplicateKey, storeIntent);

    const input = providerInput(prepared, intent);
    const { charge, state } = await deps.askProviders(intent, terms.providers, input, context);
    const answered = state
      ? await deps.recordPaymentOutcome(charge, state, context, { delayDays: terms.delayDays })
      : charge;
    if (kept) await deps.keepWithCharge.finish(kept.id, context);
    const typed = asked.cardToken ?? asked.code;
    if (typed) await deps.cardTokens.noteAnswer(answered.id, typed, isCardRefused(answered));
    // A cycle or a session has one charge at a time, so its charges are not reported as likely duplicates.
    if (command.madeFor) return { charge: answered, possibleDuplicateOf: null };
    // A charge with an earlier id may be stored later than this one, here or in another process. The search therefore
    // comes last, so that it sees every charge that was stored before the answer goes out.
    await inFlight.settled(duplicateKey);
    const since = new Date(createdAt.getTime() - DUPLICATE_WITHIN_MS);
    return { charge: answered, possibleDuplicateOf: await deps.findDuplicate(charge, since) };
  };
};

/** Facts that a provider is told besides the charge itself. */
const providerInput = (
  { asked: { instrument, payerAddress }, terms: { merchant }, returnUrl, kept }: PreparedCharge,
  { customer: { name, email, document }, expiresAt }: Charge,
) => ({
  merchantName: merchant.legalName,
  merchantTimeZone: merchant.timeZone,
  payer: { name, email, document, ...(payerAddress && { address: payerAddress }) },
  instrument: expiresAt && 'expiresAt' in instrument ? { ...instrument, expiresAt } : instrument,
  returnUrl,
  ...(kept ? { keep: kept.keep } : {}),
});
