import { type Clock, timestamp } from '../../kernel/clock.ts';
import { asMerchant, testEnvironmentOnly } from '../../kernel/principal.ts';
import { tenantOf } from '../../kernel/tenant.ts';
import { type Routes, route } from '../../platform/http/route.ts';
import { dateTime } from '../../platform/http/schemas.ts';
import { boolean, number, object } from '../../platform/http/typed.ts';
import { dateSchema, lastInstantOf } from '../../platform/read-store/list-query.ts';
import type { SettleDue } from './write/settle-due.ts';

const settlementRun = object({
  until: dateTime().required().description('Time until which parts that were due have been settled.'),
  charges: number().integer().required().description('Number of charges of which a part was settled.'),
  parts: number().integer().required().description('Number of parts that became available.'),
  complete: boolean()
    .required()
    .description(
      'False if more parts may be due, because a run ends after two seconds; call again to continue.',
    ),
}).label('SettlementRun');

/** How long one request settles, however much is due. */
const RUN_MS = 2_000;

/** A test helper that settles as if time had passed, for test keys only. */
export const settlementTestHelperRoutes: Routes<{ settleDue: SettleDue; clock: Clock }> = (deps) => [
  route({
    method: 'post',
    operationId: 'runTestSettlements',
    path: '/v1/test-helpers/settlements/run',
    tag: 'Test helpers',
    summary: 'Settle due parts',
    description:
      'Test keys only. Settles the parts that are due by `until` (now by default) of charges that the caller and its sub-merchants made, or in which they have a share. A part of a charge becomes available to all participants at once. The run ends after two seconds; call again while `complete` is false. A charge with a pending refund is left out.',
    access: { merchant: 'charges.create' },
    body: object({
      until: dateSchema.description('ISO 8601 date (its whole day in UTC) or date-time; now by default.'),
    })
      .optional()
      .example({ until: '2026-12-31' })
      .label('SettlementRunRequest'),
    responses: {
      200: { description: 'The numbers of charges and parts that were settled.', schema: settlementRun },
    },
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
