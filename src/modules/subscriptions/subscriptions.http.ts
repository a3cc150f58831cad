import type Joi from 'joi';
import { notFound } from '../../kernel/errors.ts';
import { testEnvironmentOnly } from '../../kernel/principal.ts';
import { tenantOf } from '../../kernel/tenant.ts';
import { type Route, type Routes, route } from '../../platform/http/route.ts';
import { listOf } from '../../platform/http/schemas.ts';
import type { ValueOf } from '../../platform/http/typed.ts';
import type { CheckUrl } from '../../platform/outbound/check-url.ts';
import { type FindById, findVisible } from '../../platform/write-store/read-resource.ts';
import type { FindStatuses } from '../charges/write/charge.store.ts';
import { splitNotAllowed } from '../charges/write/refusals.ts';
import { customerOwnerOnly } from '../customers/write/refusals.ts';
import { merchantNotActive } from '../merchants/write/refusals.ts';
import { intervalNotSupported, methodInUse, methodNotActive } from '../stored-methods/write/refusals.ts';
import { presentCycles } from './read/list-cycles.ts';
import { presentSubscription } from './read/subscription.view.ts';
import {
  advanceAnswer,
  advanceRequest,
  cancelRequest,
  cycleAnswer,
  cycleParams,
  newSubscription,
  pauseRequest,
  subscriptionAnswer,
  subscriptionChanges,
  subscriptionParams,
  TAG,
} from './subscriptions.schemas.ts';
import type { Advanced, AdvanceSubscription } from './write/advance-subscription.ts';
import type { CreateSubscription } from './write/create-subscription.ts';
import type {
  CancelSubscription,
  PauseSubscription,
  ResumeSubscription,
  RetryCycle,
  UndoCancel,
  UpdateSubscription,
} from './write/manage-subscription.ts';
import {
  attemptInProgress,
  chargeWindowMissed,
  currencyChangeNotAllowed,
  cycleNotOpen,
  mandateAmountFixed,
  mandateAmountTooLow,
  payerMethodNotPossible,
  paymentMethodRequired,
  planNotActive,
  retryDaysNotAllowed,
  subscriptionChanged,
  subscriptionEnded,
  subscriptionOwnerOnly,
  subscriptionReferenceUsed,
  subscriptionTransitionNotAllowed,
} from './write/refusals.ts';
import type { Subscription } from './write/subscription.ts';
import type { FindCycles } from './write/subscriptions.store.ts';

const access = { merchant: 'subscriptions.manage' } as const;
const seen = { ...access, operator: 'admin.charges.read' } as const;
const ANSWER = { 200: { description: 'The subscription as it stands then.', schema: subscriptionAnswer } };

type SubscriptionDeps = {
  createSubscription: CreateSubscription;
  updateSubscription: UpdateSubscription;
  findSubscription: FindById<Subscription>;
  findCycles: FindCycles;
  findStatuses: FindStatuses;
  checkUrl: CheckUrl;
};

const createSubscriptionRoute = (deps: SubscriptionDeps): Route =>
  route({
    method: 'post',
    operationId: 'createSubscription',
    path: '/v1/subscriptions',
    tag: TAG,
    summary: 'Create a subscription',
    description:
      'Charges a customer again and again. Without `trialDays`, `startDate` and `anchorDay` the first charge is made in this request, and `status` tells its outcome. One to the same plan or price within 60 seconds is created all the same, and `X-Possible-Duplicate-Of` names the earlier one.',
    access,
    body: newSubscription,
    responses: {
      201: {
        description: 'The subscription.',
        schema: subscriptionAnswer,
        headers: { 'X-Possible-Duplicate-Of': 'Id of an earlier subscription that looks like the same.' },
      },
    },
    refusals: [
      merchantNotActive,
      customerOwnerOnly,
      subscriptionOwnerOnly,
      planNotActive,
      paymentMethodRequired,
      methodNotActive,
      methodInUse,
      intervalNotSupported,
      mandateAmountFixed,
      mandateAmountTooLow,
      retryDaysNotAllowed,
      payerMethodNotPossible,
      splitNotAllowed,
      subscriptionReferenceUsed,
    ],
    errors: [404],
    async handle({ principal, body, context }) {
      deps.checkUrl('postbackUrl', body.postbackUrl);
      const { subscription, possibleDuplicateOf } = await deps.createSubscription(
        { principal, request: body },
        context,
      );
      return {
        status: 201,
        body: presentSubscription(subscription),
        headers: possibleDuplicateOf ? { 'X-Possible-Duplicate-Of': possibleDuplicateOf } : {},
      };
    },
  });

const updateSubscriptionRoute = (deps: SubscriptionDeps): Route =>
  route({
    method: 'patch',
    operationId: 'updateSubscription',
    path: '/v1/subscriptions/{id}',
    params: subscriptionParams,
    tag: TAG,
    summary: 'Change a subscription',
    description:
      'Another plan or price counts from the next cycle on, without proration. Another payment method counts at once.',
    access,
    body: subscriptionChanges,
    responses: ANSWER,
    refusals: [
      subscriptionOwnerOnly,
      subscriptionEnded,
      planNotActive,
      currencyChangeNotAllowed,
      paymentMethodRequired,
      methodNotActive,
      methodInUse,
      intervalNotSupported,
      mandateAmountFixed,
      mandateAmountTooLow,
      splitNotAllowed,
      subscriptionChanged,
    ],
    errors: [404],
    async handle({ principal, params: { id }, body: { version, ...changes }, context }) {
      const command = { principal, id, changes, ...(version === undefined ? {} : { version }) };
      return { status: 200, body: presentSubscription(await deps.updateSubscription(command, context)) };
    },
  });

export const subscriptionRoutes: Routes<SubscriptionDeps> = (deps) => [
  createSubscriptionRoute(deps),
  route({
    method: 'get',
    operationId: 'getSubscription',
    path: '/v1/subscriptions/{id}',
    params: subscriptionParams,
    tag: TAG,
    summary: 'Read a subscription',
    description: 'Reads the write store, so the answer is never behind.',
    access: seen,
    responses: { 200: { description: 'The subscription.', schema: subscriptionAnswer } },
    errors: [404],
    async handle({ principal, params: { id } }) {
      const subscription = await findVisible(deps.findSubscription, principal, id, 'Subscription');
      return { status: 200, body: presentSubscription(subscription) };
    },
  }),
  updateSubscriptionRoute(deps),
  route({
    method: 'get',
    operationId: 'listSubscriptionCycles',
    path: '/v1/subscriptions/{id}/cycles',
    holdsSecret: true,
    params: subscriptionParams,
    tag: TAG,
    summary: "List a subscription's cycles",
    description:
      'All that have begun, and the next one. Reads the write store, so the answer is never behind.',
    access: seen,
    responses: {
      200: {
        description: 'The cycles, oldest first.',
        schema: listOf(cycleAnswer, 'The cycles, oldest first.').label('CycleList'),
      },
    },
    errors: [404],
    async handle({ principal, params: { id } }) {
      const subscription = await findVisible(deps.findSubscription, principal, id, 'Subscription');
      const cycles = await deps.findCycles(subscription);
      const charges = cycles.flatMap(({ attempts }) => attempts.flatMap(({ chargeId }) => chargeId ?? []));
      const statuses = await deps.findStatuses(charges, tenantOf(subscription));
      return { status: 200, body: { data: presentCycles(subscription, cycles, statuses) } };
    },
  }),
];

type Changes = {
  pauseSubscription: PauseSubscription;
  resumeSubscription: ResumeSubscription;
  cancelSubscription: CancelSubscription;
  undoCancel: UndoCancel;
  retryCycle: RetryCycle;
};

/** Routes that change a subscription that has not ended. */
export const subscriptionChangeRoutes: Routes<Changes> = (deps) => [
  change({
    name: 'pause',
    summary: 'Pause a subscription',
    description:
      'Stops cycles and attempts. The open cycle is given up, and a charge that waits is cancelled.',
    body: pauseRequest,
    run: (asked, context, { resumeAt = null, ...version }) =>
      deps.pauseSubscription({ ...asked, ...version, resumeAt }, context),
  }),
  change({
    name: 'resume',
    summary: 'Resume a subscription',
    description: 'Goes on at the next date of the same calendar.',
    run: (asked, context) => deps.resumeSubscription(asked, context),
  }),
  change({
    name: 'cancel',
    summary: 'Cancel a subscription',
    description: 'A cancellation at the end of the period can be undone until then. Nothing is given back.',
    body: cancelRequest,
    run: (asked, context, body) => deps.cancelSubscription({ ...asked, ...body }, context),
  }),
  change({
    name: 'undo-cancel',
    operationId: 'undoCancelSubscription',
    summary: 'Undo a planned cancellation',
    description: 'The subscription goes on as if nothing had been planned.',
    run: (asked, context) => deps.undoCancel(asked, context),
  }),
  route({
    method: 'post',
    operationId: 'retrySubscriptionCycle',
    path: '/v1/subscriptions/{id}/cycles/{number}/retry',
    params: cycleParams,
    tag: TAG,
    summary: 'Attempt a cycle again',
    description:
      'One attempt at once for a cycle that is open or was given up; one that was given up is tried without consequences.',
    access,
    responses: ANSWER,
    refusals: [subscriptionOwnerOnly, subscriptionEnded, cycleNotOpen, attemptInProgress, chargeWindowMissed],
    errors: [404],
    async handle({ principal, params: { id, number }, context }) {
      if (!/^[1-9]\d{0,5}$/.test(number)) throw notFound('Cycle');
      const command = { principal, id, number: Number(number) };
      return { status: 200, body: presentSubscription(await deps.retryCycle(command, context)) };
    },
  }),
];

type Asked = Parameters<ResumeSubscription>[0];

/** A route that changes a subscription. */
const change = <Body = unknown>(given: {
  readonly name: string;
  readonly operationId?: string;
  readonly summary: string;
  readonly description: string;
  readonly body?: Body & Joi.Schema;
  run(asked: Asked, context: Parameters<ResumeSubscription>[1], body: ValueOf<Body>): Promise<Subscription>;
}): Route =>
  route({
    method: 'post',
    operationId: given.operationId ?? `${given.name}Subscription`,
    path: `/v1/subscriptions/{id}/${given.name}`,
    params: subscriptionParams,
    tag: TAG,
    summary: given.summary,
    description: given.description,
    access,
    ...(given.body ? { body: given.body } : {}),
    responses: ANSWER,
    refusals: [
      subscriptionOwnerOnly,
      subscriptionEnded,
      subscriptionTransitionNotAllowed,
      ...(given.body ? [subscriptionChanged] : []),
    ],
    errors: [404],
    async handle({ principal, params: { id }, body, context }) {
      const subscription = await given.run({ principal, id }, context, body);
      return { status: 200, body: presentSubscription(subscription) };
    },
  });

/** Moves a subscription's clock, for test keys only. */
export const subscriptionTestHelperRoutes: Routes<{ advanceSubscription: AdvanceSubscription }> = (deps) => [
  route({
    method: 'post',
    operationId: 'advanceTestSubscription',
    path: '/v1/test-helpers/subscriptions/{id}/advance',
    params: subscriptionParams,
    tag: 'Test helpers',
    summary: "Put a subscription's clock forward",
    description:
      'Test keys only. Everything that is due until then happens in its order, each at its own instant. Charges and entries of the ledger have the real time. After 400 stops it answers how far it came; call it again.',
    access,
    body: advanceRequest,
    responses: { 200: { description: 'The subscription, and all that happened.', schema: advanceAnswer } },
    refusals: [testEnvironmentOnly, subscriptionOwnerOnly],
    errors: [404],
    async handle({ principal, params: { id }, body: { until }, context }) {
      const advanced = await deps.advanceSubscription({ principal, id, until }, context);
      return { status: 200, body: presentAdvance(advanced) };
    },
  }),
];

const presentAdvance = ({ subscription, happened }: Advanced): object => ({
  subscription: presentSubscription(subscription),
  happened: happened.map(({ type, data: { updatedAt, status, latestAttempt } }) => ({
    event: type,
    at: updatedAt,
    status,
    cycleNumber: latestAttempt?.cycleNumber ?? null,
    chargeId: latestAttempt?.chargeId ?? null,
  })),
});
