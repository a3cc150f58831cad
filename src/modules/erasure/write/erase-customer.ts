import { unavailable } from '../../../kernel/errors.ts';
import { type Command, systemContext } from '../../../kernel/event.ts';
import type { Creating } from '../../../platform/write-store/transaction.ts';
import { CHARGES } from '../../charges/write/charge.store.ts';
import {
  CHECKOUT_SESSIONS,
  forgetCustomer,
  withoutCustomer as withoutCustomerFacts,
} from '../../checkout/write/checkout-session.ts';
import { CUSTOMERS } from '../../customers/write/customer.ts';
import type { ForgetCustomer } from '../../customers/write/forget-customer.ts';
import { DISPUTE_DOCUMENTS, withoutFileName } from '../../disputes/write/evidence.ts';
import type { EraseEvidenceOf } from '../../disputes/write/remove-evidence.ts';
import type { EraseHistory } from './erasure.store.ts';
import { eraseCustomer, isErased, withoutCustomer } from './erasure.ts';

/**
 * The person whose data is erased, as merchants' requests named the person; an e-mail address in upper or lower case.
 */
export type CustomerName = { readonly email: string } | { readonly document: string };

/** Finds the ids of a customer's charges in one environment, including everything recorded so far. */
export type FindChargesOf = (
  customer: CustomerName,
  livemode: boolean,
) => Promise<AsyncIterable<readonly { readonly id: string }[]>>;

/** Finds the ids of the records that merchants keep of a customer in one environment. */
export type FindCustomersOf = FindChargesOf;

/** Finds the ids of the checkout sessions in which merchants named the customer, in one environment. */
export type FindSessionsOf = FindChargesOf;

/** Callers, and proxies in front of them, wait for an answer no longer than a minute. */
const ERASES_FOR_MS = 30_000;

/**
 * Removes a customer's personal data from charges, merchants' customer records, their events and the audit log's
 * entries about them. It may be repeated, and one that is cut short leaves some charges to the next. Returns the number
 * of changed charges. Throws 503 where half a minute was too short for all of them.
 */
export type EraseCustomer = Command<
  { readonly customer: CustomerName; readonly livemode: boolean },
  { readonly id: string; readonly charges: number; readonly customers: number }
>;

export const createEraseCustomer =
  (
    deps: Creating & {
      readonly findChargesOf: FindChargesOf;
      readonly findCustomersOf: FindCustomersOf;
      readonly findSessionsOf: FindSessionsOf;
      readonly eraseHistory: EraseHistory;
      readonly forgetCustomer: ForgetCustomer;
      readonly eraseEvidenceOf: EraseEvidenceOf;
    },
  ): EraseCustomer =>
  async ({ customer, livemode }, context) => {
    const id = deps.newId('ers');
    // These changes are made in the gateway's own name, because an operator's changes would put the data into the audit
    // log. One entry there says who asked for the erasure, but not for whom.
    const unseen = systemContext('erasure');
    const until = deps.clock().getTime() + ERASES_FOR_MS;
    const counts = { charges: 0, customers: 0, sessions: 0 };
    /**
     * The removal itself is recorded in events and the audit log, so their contents are erased in a second transaction.
     */
    const eraseEvidence = async (chargeId: string): Promise<void> => {
      const ids = await deps.transact.alone(unseen, (tx) => deps.eraseEvidenceOf(tx, chargeId, deps.clock()));
      for (const id of ids)
        await deps.transact.alone(unseen, async (tx) => {
          // Reading the document says whose it is, which the entries of the audit log alone do not.
          const document = await tx.get(DISPUTE_DOCUMENTS, id);
          if (document) await deps.eraseHistory(tx, DISPUTE_DOCUMENTS, id, withoutFileName);
        });
    };
    const eraseOne = async (chargeId: string): Promise<number> => {
      await eraseEvidence(chargeId);
      return deps.transact.alone(unseen, async (tx) => {
        const charge = await tx.get(CHARGES, chargeId);
        if (!charge || isErased(charge)) return 0;
        await tx.record(CHARGES, charge, eraseCustomer(charge, deps.clock()));
        await deps.eraseHistory(tx, CHARGES, chargeId, withoutCustomer);
        return 1;
      });
    };
    const eraseRecord = (customerId: string): Promise<number> =>
      deps.transact.alone(unseen, async (tx) => {
        const record = await tx.get(CUSTOMERS, customerId);
        if (!record || record.deletedAt !== null) return 0;
        await deps.forgetCustomer(tx, record);
        return 1;
      });
    const eraseSession = (sessionId: string): Promise<number> =>
      deps.transact.alone(unseen, async (tx) => {
        const session = await tx.get(CHECKOUT_SESSIONS, sessionId);
        if (!session || session.customer === null) return 0;
        await tx.record(CHECKOUT_SESSIONS, session, forgetCustomer(session, deps.clock()));
        await deps.eraseHistory(tx, CHECKOUT_SESSIONS, sessionId, withoutCustomerFacts);
        return 1;
      });
    const eraseAll = async (): Promise<'all' | 'some'> => {
      for (const [kind, find, erase] of [
        ['charges', deps.findChargesOf, eraseOne],
        ['customers', deps.findCustomersOf, eraseRecord],
        ['sessions', deps.findSessionsOf, eraseSession],
      ] as const)
        for await (const found of await find(customer, livemode))
          for (const one of found) {
            if (deps.clock().getTime() > until) return 'some';
            counts[kind] += await erase(one.id);
          }
      return 'all';
    };
    const erased = await eraseAll();
    await deps.transact(context, (tx) =>
      tx.audit({ type: 'customer.erased', resource: 'erasure', resourceId: id, livemode }),
    );
    if (erased === 'some')
      throw unavailable('Some charges of the customer are not erased yet: repeat the request');
    context.commits.unshift(...unseen.commits);
    return { id, charges: counts.charges, customers: counts.customers };
  };
