import Joi from 'joi';
import { type Clock, timestamp } from '../../kernel/clock.ts';
import { forbidden } from '../../kernel/errors.ts';
import { asMerchant } from '../../kernel/principal.ts';
import { type Route, route } from '../../platform/http/route.ts';
import { dateTime } from '../../platform/http/schemas.ts';
import { dateSchema, lastInstantOf } from '../../platform/read-store/list.ts';
import type { SettleDue } from './write/settle-due.ts';

const settlementRun = Joi.object({
  until: dateTime().required().description('What was due by then was settled.'),
  charges: Joi.number().integer().required().description('Charges of which a part was settled.'),
  parts: Joi.number().integer().required().description('Parts that became available.'),
}).label('SettlementRun');

/** Decisions 4: lets time pass, for test keys only. */
export const settlementTestHelperRoutes = (deps: {
  readonly settleDue: SettleDue;
  readonly clock: Clock;
}): readonly Route[] => [
  route<{ readonly until?: string }>({
    method: 'post',
    path: '/v1/test-helpers/settlements/run',
    tag: 'Test helpers',
    summary: 'Settle what is due',
    description:
      'Test keys only. Settles what is due by `until` (now by default) of the caller and its sub-merchants. A ' +
      'charge with a refund under way is left out.',
    access: { merchant: 'charges.create' },
    body: Joi.object({
      until: dateSchema.description('ISO 8601 date (its whole day in UTC) or date-time; now by default.'),
    })
      .optional()
      .example({ until: '2026-12-31' })
      .label('SettlementRunRequest'),
    responses: { 200: { description: 'What was settled.', schema: settlementRun } },
    async handle({ principal, body, context }) {
      const { merchantId, livemode } = asMerchant(principal);
      if (livemode) throw forbidden('TEST_ENVIRONMENT_ONLY');
      const until = body?.until === undefined ? deps.clock() : new Date(lastInstantOf(body.until));
      const settled = await deps.settleDue(
        { until, scope: { testMerchantId: merchantId }, owns: () => true, stopping: null },
        context,
      );
      return { status: 200, body: { until: timestamp(until), ...settled } };
    },
  }),
];
