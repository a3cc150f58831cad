import {
  commitGroups,
  defineModule,
  findTenant,
  outboxReader,
  services,
} from '../../platform/platform.module.ts';
import { provide } from '../../platform/wiring.ts';
import { findMerchants } from '../merchants/merchants.module.ts';
import { createFoldBalances, createFoldOwner } from './write/fold-balances.ts';
import { createDebitAvailable, createFoldOutstanding } from './write/fold-outstanding.ts';
import { createFindJournal, LEDGER_CONSUMER, ledgerMigrations } from './write/ledger.store.ts';

const { db } = services;
export const findJournal = provide(createFindJournal, db);
const fold = provide(createFoldBalances, { ...services, findMerchants, findTenant, commitGroups });
const foldOwner = provide(createFoldOwner, { db, findMerchants });
export const debitAvailable = provide(createDebitAvailable, { db, foldOwner, findTenant });
export const foldOutstanding = provide(createFoldOutstanding, { db, fold, findTenant });

export const ledgerModule = defineModule(services, {
  migrations: [ledgerMigrations],
  consumers: [LEDGER_CONSUMER],
  outboxReaders: [outboxReader(LEDGER_CONSUMER.name, fold, { takesRows: true })],
});
