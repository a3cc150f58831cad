import { ContainerModule } from 'inversify';
import { newId } from '../../kernel/ids.ts';
import { CLOCK, DB, MIGRATIONS, READ_VIEW, ROUTES, TRANSACT, VIEW } from '../../platform/platform.module.ts';
import { readResource } from '../../platform/write-store/mongo.ts';
import { OPERATORS, TWO_PERSON_OPTIONS } from '../proposals/proposals.module.ts';
import { adjustmentRoutes } from './adjustments.http.ts';
import { ADJUSTMENTS_VIEW } from './read/adjustment.view.ts';
import { createListAdjustments } from './read/list-adjustments.ts';
import { ADJUSTMENTS } from './write/adjustment.ts';
import { adjustmentMigrations } from './write/adjustments.store.ts';
import { createCreateAdjustment } from './write/create-adjustment.ts';
import { createProcessAdjustment } from './write/process-adjustment.ts';

export const adjustmentsModule = new ContainerModule(({ bind }) => {
  bind(MIGRATIONS).toConstantValue(adjustmentMigrations);
  bind(VIEW).toConstantValue(ADJUSTMENTS_VIEW);
  bind(ROUTES).toResolvedValue(
    (db, transact, clock, readView, { isEnabled }, operators) =>
      adjustmentRoutes({
        createAdjustment: createCreateAdjustment({ transact, clock, newId }),
        processAdjustment: createProcessAdjustment({
          transact,
          clock,
          newId,
          isTwoPersonRule: isEnabled,
          operators,
        }),
        findAdjustment: (id) => readResource(db, ADJUSTMENTS, id),
        listAdjustments: createListAdjustments(readView),
      }),
    [DB, TRANSACT, CLOCK, READ_VIEW, TWO_PERSON_OPTIONS, OPERATORS],
  );
});
