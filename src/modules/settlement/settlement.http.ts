import Joi from 'joi';
import { type Clock, timestamp } from '../../kernel/clock.ts';
import { asMerchant, testEnvironmentOnly } from '../../kernel/principal.ts';
import { tenantOf } from '../../kernel/tenant.ts';
import { type Routes, route } from '../../platform/http/route.ts';
import { dateTime } from '../../platform/http/schemas.ts';
import { dateSchema, lastInstantOf } from '../../platform/read-store/list-query.ts';
import type { SettleDue } from './write/settle-due.ts';

const settlementRun = Joi.object({
  until: dateTime().required().description('Parts that were due by then were settled.'),
  charges: Joi.number().integer().required().description('Charges of which a part was settled.'),
  parts: Joi.number().integer().required().description('Parts that became available.'),
  complete: Joi.boolean()
    .required()
    .description(
      'False where more may be due: the run ends after two seconds, and another goes on from there.',
    ),
}).label('SettlementRun');

/** A request does not take as long as there is work. */
const RUN_MS = 2_000;

/** Lets time pass, for test keys only. */
export const settlementTestHelperRoutes: Routes<{ settleDue: SettleDue; clock: Clock }> = (deps) => [
  route<{ readonly until?: string }>({
    method: 'post',
    operationId: 'runTestSettlements',
    path: '/v1/test-helpers/settlements/run',
    tag: 'Test helpers',
    summary: 'Settle due parts',
    description:
      'Test keys only. Settles parts of the caller and its sub-merchants that are due by `until`, now by default: of charges that they made, and of those that they have a share of. A part of a charge becomes available to everybody with a share in it at once. Ends after two seconds; ask again while `complete` is false. A charge with a pending refund is left out.',
    access: { merchant: 'charges.create' },
    body: Joi.object({
      until: dateSchema.description('ISO 8601 date (its whole day in UTC) or date-time; now by default.'),
    })
      .optional()
      .example({ until: '2026-12-31' })
      .label('SettlementRunRequest'),
    responses: { 200: { description: 'Numbers of charges and parts settled.', schema: settlementRun } },
    refusals: [testEnvironmentOnly],
    async handle({ principal, body, context }) {
      const caller = asMerchant(principal);
      const { merchantId, livemode } = caller;
      if (livemode) throw testEnvironmentOnly();
      const until = body?.until === undefined ? deps.clock() : new Date(lastInstantOf(body.until));
      const stopping = AbortSignal.timeout(RUN_MS);
      const settled = await deps.settleDue(
        {
          until,
          scope: { testMerchantId: merchantId, tenantId: tenantOf(caller) },
          owns: () => true,
          stopping,
        },
        context,
      );
      return { status: 200, body: { until: timestamp(until), ...settled, complete: !stopping.aborted } };
    },
  }),
];
