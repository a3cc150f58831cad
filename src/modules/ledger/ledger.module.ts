import type { Services } from '../../platform/services.ts';
import type { MerchantsModule } from '../merchants/merchants.module.ts';
import { createFoldBalances, createFoldOwner } from './write/fold-balances.ts';
import { createDebitAvailable, createFoldOutstanding } from './write/fold-outstanding.ts';
import { createFindJournal, LEDGER_CONSUMER, ledgerMigrations } from './write/ledger.store.ts';

export type LedgerModule = ReturnType<typeof createLedgerModule>;

export const createLedgerModule = (
  services: Services,
  { merchants }: { readonly merchants: MerchantsModule },
) => {
  const { findMerchants } = merchants;
  const { db, findTenant } = services;
  const fold = createFoldBalances({ ...services, findMerchants });
  const foldOwner = createFoldOwner({ db, findMerchants });
  return {
    findJournal: createFindJournal(db),
    debitAvailable: createDebitAvailable({ db, foldOwner, findTenant }),
    foldOutstanding: createFoldOutstanding({ db, fold, findTenant }),
    contributions: {
      migrations: ledgerMigrations,
      consumers: [LEDGER_CONSUMER],
      work: () => ({
        outboxReaders: [{ consumer: LEDGER_CONSUMER.name, handle: fold, takesRows: true }],
      }),
    },
  };
};
