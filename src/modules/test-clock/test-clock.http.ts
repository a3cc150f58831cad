import { type Clock, timestamp } from '../../kernel/clock.ts';
import { ISO_DURATION } from '../../kernel/iso-duration.ts';
import { testEnvironmentOnly } from '../../kernel/principal.ts';
import type { EnvironmentTime } from '../../platform/environment-time.ts';
import { type Access, type Routes, route } from '../../platform/http/route.ts';
import { dateTime, instant, nullable } from '../../platform/http/schemas.ts';
import { arrayOf, boolean, number, object, string } from '../../platform/http/typed.ts';
import type { AdvanceClock } from './write/advance-clock.ts';
import { testClockOff } from './write/refusals.ts';
import type { FindTestClock } from './write/test-clock.store.ts';
import { type Advance, timeOfTestClock } from './write/test-clock.ts';

const TAG = 'Test helpers';
const READ: Access = { merchant: 'any', operator: 'any' };
const MOVE: Access = { merchant: 'charges.create', operator: 'admin.merchants.update' };

const advanceRequest = object({
  by: string()
    .pattern(ISO_DURATION, { name: 'an ISO 8601 duration of weeks, days, hours, minutes and seconds' })
    .description('ISO 8601 duration without years and months, such as `P30D` or `PT90M`.'),
  to: instant().description('Instant at which the clock is to arrive, at most five years ahead.'),
})
  .xor('by', 'to')
  .messages({
    'object.missing': '{{#label}} must have either by or to',
    'object.xor': '{{#label}} must have either by or to, and not both',
  })
  .example({ by: 'P30D' })
  .label('TestClockAdvanceRequest');

const advanceAnswer = object({
  from: dateTime().required().description('Time of the test environment before.'),
  now: dateTime().required().description('Time of the test environment now.'),
  complete: boolean()
    .required()
    .description('False if the clock is still on its way after twenty seconds; it goes on by itself.'),
  happened: arrayOf(
    object({
      kind: string()
        .required()
        .description(
          'Kind of record: `charge`, `refund`, `subscription`, `checkout_session`, `payment_link`, `payment_method`, `dispute` and `suspense_item` for records of which something was due, `settlement` for settled parts of charges, `webhook_delivery` for attempts, `api_key` for keys that ended, `retention` for records that were removed after their time.',
        ),
      count: number().integer().required().description('How often that happened.'),
    }).label('TestClockHappened'),
  )
    .required()
    .description('Everything that fell due, by kind.'),
}).label('TestClockAdvance');

const clockAnswer = object({
  enabled: boolean()
    .required()
    .description('Whether the clock can be moved, because the gateway was started with `TEST_CLOCK=1`.'),
  now: dateTime().required().description('Time of the test environment.'),
  realTime: dateTime().required().description('The real time, which live records have.'),
  advancing: boolean()
    .required()
    .description(
      'Whether the clock is being advanced; it stands at `now` then, and what is due there happens.',
    ),
  lastAdvance: nullable(advanceAnswer).description('The latest move; null before the first one.'),
}).label('TestClock');

/** The clock of the test environment, which test keys may read and move forward. */
export const testClockRoutes: Routes<{
  advanceClock: AdvanceClock;
  findTestClock: FindTestClock;
  time: EnvironmentTime;
  realClock: Clock;
}> = (deps) => {
  return [
    route({
      method: 'get',
      operationId: 'getTestClock',
      path: '/v1/test-helpers/clock',
      tag: TAG,
      summary: 'Read the test clock',
      description:
        'Test environment only. The time of all test records, which is the same for all merchants. It is the real time until somebody moves it.',
      access: READ,
      responses: { 200: { description: 'The clock.', schema: clockAnswer } },
      refusals: [testEnvironmentOnly],
      async handle({ principal: { livemode } }) {
        if (livemode) throw testEnvironmentOnly();
        const clock = await deps.findTestClock();
        const real = deps.realClock();
        const enabled = deps.time.hasTestClock;
        const now = timestamp(enabled ? timeOfTestClock(clock, real) : real);
        const advancing = enabled && clock?.advance != null;
        const last = clock?.advance ?? clock?.ended.at(-1);
        const lastAdvance = last ? presentAdvance(last, !advancing) : null;
        return { status: 200, body: { enabled, now, realTime: timestamp(real), advancing, lastAdvance } };
      },
    }),
    route({
      method: 'post',
      operationId: 'advanceTestClock',
      path: '/v1/test-helpers/clock/advance',
      tag: TAG,
      summary: 'Move the test clock forward',
      description:
        'Test environment of a gateway that was started with `TEST_CLOCK=1`. Moves the time of all test records of all merchants. Everything that falls due until then happens in its order, each at its own instant: payments expire, parts of charges are settled, providers are asked about open payments, webhooks are tried again, subscriptions are renewed, keys end, old records are removed. The clock never goes back. Sessions, limits and ids keep the real time. While the clock is being advanced, a second move waits until the first has arrived.',
      access: MOVE,
      body: advanceRequest,
      responses: { 200: { description: 'The new time, and all that happened.', schema: advanceAnswer } },
      refusals: [testEnvironmentOnly, testClockOff],
      async handle({ principal: { livemode }, body, context }) {
        if (livemode) throw testEnvironmentOnly();
        if (!deps.time.hasTestClock) throw testClockOff();
        const move = body.to === undefined ? { by: body.by ?? '' } : { to: body.to };
        const { advance, isComplete } = await deps.advanceClock({ move }, context);
        return { status: 200, body: presentAdvance(advance, isComplete) };
      },
    }),
  ];
};

const presentAdvance = ({ from, at, happened }: Advance, complete: boolean): object => ({
  from,
  now: at,
  complete,
  happened: Object.entries(happened).map(([kind, count]) => ({ kind, count })),
});
