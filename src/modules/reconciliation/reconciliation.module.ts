import { ContainerModule, type ServiceIdentifier } from 'inversify';
import { createLoop } from '../../platform/loop.ts';
import { BACKGROUND, CLOCK, DB, LOGGER, METRICS, TRANSACT } from '../../platform/platform.module.ts';
import { createAuditRound } from './audit-round.ts';
import { createGetDifferences, type GetDifferences } from './read/get-differences.ts';

const token = <T>(name: string): ServiceIdentifier<T> => Symbol.for(name);

export const GET_DIFFERENCES = token<GetDifferences>('GetDifferences');

const AUDIT_EVERY_MS = 3_600_000;

export const reconciliationModule = new ContainerModule(({ bind }) => {
  bind(GET_DIFFERENCES).toResolvedValue(
    (db, transact) => createGetDifferences({ db, transact }),
    [DB, TRANSACT],
  );
  bind(BACKGROUND).toResolvedValue(
    (getDifferences, clock, logger, metrics) =>
      ({ owns }) =>
        createLoop({
          name: 'audit',
          everyMs: AUDIT_EVERY_MS,
          logger,
          round: createAuditRound({
            getDifferences,
            owns,
            clock,
            logger,
            report: (differences, at) => {
              metrics.auditDifferences.set(differences);
              metrics.auditedAt.set(at.getTime() / 1000);
            },
            retract: () => metrics.auditDifferences.set(0),
          }),
        }),
    [GET_DIFFERENCES, CLOCK, LOGGER, METRICS],
  );
});
