import { ContainerModule } from 'inversify';
import { newId } from '../../kernel/ids.ts';
import { CLOCK, DB, MIGRATIONS, ROUTES, TRANSACT, VIEW } from '../../platform/platform.module.ts';
import { readResource } from '../../platform/write-store/mongo.ts';
import { FIND_CHARGE } from '../charges/charges.module.ts';
import { LIST_VISIBLE } from '../merchants/merchants.module.ts';
import { anticipationRoutes } from './anticipations.http.ts';
import { ANTICIPATIONS_VIEW } from './read/anticipation.view.ts';
import { createGetQuote } from './read/get-quote.ts';
import { createListAnticipations, createScanAnticipations } from './read/list-anticipations.ts';
import { createAnticipate, createFindReservedFor } from './write/anticipate.ts';
import { ANTICIPATIONS } from './write/anticipation.ts';
import { anticipationMigrations, createFindReserved, createGetCharges } from './write/anticipations.store.ts';

export const anticipationsModule = new ContainerModule(({ bind }) => {
  bind(MIGRATIONS).toConstantValue(anticipationMigrations);
  bind(VIEW).toConstantValue(ANTICIPATIONS_VIEW);
  bind(ROUTES).toResolvedValue(
    (db, transact, clock, findCharge, visible) => {
      const findReservedFor = createFindReservedFor({ findCharge, findReserved: createFindReserved(db) });
      return anticipationRoutes({
        anticipate: createAnticipate({
          transact,
          findReservedFor,
          getCharges: createGetCharges(db),
          clock,
          newId,
        }),
        getQuote: createGetQuote({ db, findReservedFor, clock }),
        findAnticipation: (id) => readResource(db, ANTICIPATIONS, id),
        listAnticipations: createListAnticipations(visible),
        scanAnticipations: createScanAnticipations(visible),
      });
    },
    [DB, TRANSACT, CLOCK, FIND_CHARGE, LIST_VISIBLE],
  );
});
