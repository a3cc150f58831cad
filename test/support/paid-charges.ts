import { systemContext } from '../../src/kernel/event.ts';
import { type ChargeId, type MerchantId, newId } from '../../src/kernel/ids.ts';
import { paidJournal } from '../../src/modules/charges/write/charge.journal.ts';
import { CHARGES } from '../../src/modules/charges/write/charge.store.ts';
import type { Charge } from '../../src/modules/charges/write/charge.ts';
import { scheduleSettlement } from '../../src/modules/charges/write/settlement-schedule.ts';
import { divide } from '../../src/modules/charges/write/split.ts';
import { postJournal } from '../../src/modules/ledger/write/ledger.store.ts';
import { openPayment } from '../../src/modules/providers/simulator/payment.ts';
import * as platform from '../../src/platform/platform.module.ts';
import { aCard, aPaidCharge, aPayer } from '../builders.ts';
import type { TestGateway } from './gateway.ts';

type Wanted = {
  readonly merchantId: string;
  readonly cardNumber: string;
  readonly installments?: number;
  /** Each of them gets a fourth of the net amount. */
  readonly participants?: readonly string[];
};

const AT_ONCE = 25;

/**
 * Stores paid charges of 100.01 BRL of the test environment, at the gateway and at the simulator, many in a
 * transaction.
 */
export const storePaidCharges = async (
  { container, db }: TestGateway,
  wanted: readonly Wanted[],
): Promise<readonly Charge[]> => {
  const { transact } = container.get(platform.services);
  const now = new Date();
  const charges = wanted.map((one) => chargeOf(one, now));
  for (let done = 0; done < charges.length; done += AT_ONCE) {
    const batch = charges.slice(done, done + AT_ONCE);
    await db.collection<{ _id: string }>('simulator_payments').insertMany(
      batch.map((charge, index) => ({
        ...openPayment(
          {
            reference: charge.id,
            amount: charge.amount,
            currency: charge.currency,
            merchantName: 'Loja',
            merchantTimeZone: 'America/Sao_Paulo',
            payer: aPayer(),
            returnUrl: null,
            instrument: {
              type: 'credit_card',
              card: aCard({ number: wanted[done + index]?.cardNumber ?? '' }),
              installments: 1,
            },
          },
          now,
        ),
      })),
    );
    await transact(systemContext('test'), async (tx) => {
      for (const charge of batch) {
        await tx.record(CHARGES, null, { type: 'charge.paid', data: charge });
        await postJournal(tx, paidJournal(charge, now, newId));
      }
    });
  }
  return charges.map((charge) => ({ ...charge, version: 1 }));
};

const chargeOf = ({ merchantId, installments = 1, participants = [] }: Wanted, now: Date): Charge => {
  const at = now.toISOString();
  const id: ChargeId = newId('chg');
  const paid = aPaidCharge({
    id,
    version: 0,
    provider: 'simulator',
    merchantId: merchantId as MerchantId,
    amount: 100_01,
    spread: 3_00,
    settlement: { parts: installments, settled: 0 },
    duplicateKey: id,
    paidAt: at,
    createdAt: at,
    updatedAt: at,
  });
  const entries = participants.map((participant) => ({
    merchantId: participant as MerchantId,
    percentage: 25,
  }));
  const split = entries.length > 0 ? divide(paid.net, entries) : null;
  return scheduleSettlement({ type: 'charge.paid', data: { ...paid, split } }, [{ credit_card: 30 }]).data;
};
