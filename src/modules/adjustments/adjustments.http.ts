import Joi from 'joi';
import { notFound } from '../../kernel/errors.ts';
import { MAX_AMOUNT } from '../../kernel/money.ts';
import { consistencyTokenOf, type Route, route } from '../../platform/http/route.ts';
import {
  currency,
  dateTime,
  knownCurrency,
  livemode,
  money,
  pageOf,
  resourceId,
  text,
} from '../../platform/http/schemas.ts';
import type { ListQuery } from '../../platform/read-store/list.ts';
import { presentAdjustment } from './read/adjustment.view.ts';
import { ADJUSTMENT_LIST, type ListAdjustments } from './read/list-adjustments.ts';
import { ADJUSTMENT_STATUSES, type Adjustment, type NewAdjustment } from './write/adjustment.ts';
import type { CreateAdjustment } from './write/create-adjustment.ts';
import type { ProcessAdjustment } from './write/process-adjustment.ts';

const TAG = 'Adjustments (administration)';

const newAdjustment = Joi.object({
  merchantId: text(64).required().description('Whose balance is adjusted, `mer_…`.'),
  amount: Joi.number()
    .min(-MAX_AMOUNT)
    .max(MAX_AMOUNT)
    .invalid(0)
    .required()
    .description('Decimal; above zero for the merchant, below zero against it.'),
  currency: knownCurrency().required(),
  reason: text(1024).required().description('For whoever approves it, and for the audit.'),
})
  .example({
    merchantId: 'mer_01a1fe9cad9175e79603dda268ed6486',
    amount: -12.5,
    currency: 'BRL',
    reason: 'fee of a chargeback that came by mail',
  })
  .label('AdjustmentRequest');

const userId = resourceId('usr');

const adjustmentAnswer = Joi.object({
  id: resourceId('adj').required(),
  livemode: livemode().required(),
  merchantId: resourceId('mer').required(),
  amount: money('Above zero for the merchant, below zero against it.').required(),
  currency: currency().required(),
  reason: Joi.string().required().description('Why it was asked for.'),
  status: Joi.string()
    .valid(...ADJUSTMENT_STATUSES)
    .required()
    .description('Booked once it is `approved`, and only then.'),
  createdByUserId: userId.required().description('The operator who asked for it, and may not approve it.'),
  processedByUserId: userId
    .allow(null)
    .required()
    .description('The operator who approved or rejected it; null before.'),
  rejectionReason: Joi.string()
    .allow(null)
    .required()
    .description('Null unless it was rejected with a reason.'),
  ledgerEntryId: resourceId('led')
    .allow(null)
    .required()
    .description('Its entry in the statement; null until it is approved.'),
  processedAt: dateTime()
    .allow(null)
    .required()
    .description('When it was approved or rejected; null before.'),
  createdAt: dateTime().required(),
  updatedAt: dateTime().required(),
}).label('Adjustment');

const adjustmentParams = { id: 'Id of the adjustment, `adj_…`.' };
const answer = { description: 'The adjustment.', schema: adjustmentAnswer };
const READERS = ['admin.adjustments.create', 'admin.adjustments.approve'] as const;

export const adjustmentRoutes = (deps: {
  readonly createAdjustment: CreateAdjustment;
  readonly processAdjustment: ProcessAdjustment;
  readonly findAdjustment: (id: string) => Promise<Adjustment | null>;
  readonly listAdjustments: ListAdjustments;
}): readonly Route[] => [
  route<NewAdjustment>({
    method: 'post',
    path: '/v1/admin/adjustments',
    tag: TAG,
    summary: "Ask for an adjustment of a merchant's balance",
    description:
      "In the environment of the token. Nothing is booked until another operator approves it; then `available` changes by the amount, and may go below zero. 404 for a merchant that is not of the token's environment.",
    access: { operator: 'admin.adjustments.create' },
    body: newAdjustment,
    responses: { 201: answer },
    errors: [404],
    async handle({ principal, body, context }) {
      const adjustment = await deps.createAdjustment({ ...body, principal }, context);
      return { status: 201, body: presentAdjustment(adjustment) };
    },
  }),
  route<unknown, ListQuery>({
    method: 'get',
    path: '/v1/admin/adjustments',
    tag: TAG,
    summary: 'List adjustments',
    description: 'Newest first by default.',
    access: { operator: READERS },
    query: ADJUSTMENT_LIST.query,
    consistent: true,
    responses: {
      200: {
        description: 'A page of adjustments.',
        schema: pageOf(adjustmentAnswer).label('AdjustmentList'),
      },
    },
    async handle(request) {
      const { principal, query } = request;
      return { status: 200, body: await deps.listAdjustments(principal, query, consistencyTokenOf(request)) };
    },
  }),
  route({
    method: 'get',
    path: '/v1/admin/adjustments/{id}',
    params: adjustmentParams,
    tag: TAG,
    summary: 'Read an adjustment',
    description: 'Read from the write store: never behind.',
    access: { operator: READERS },
    responses: { 200: answer },
    errors: [404],
    async handle({ principal, params }) {
      const adjustment = await deps.findAdjustment(params.id ?? '');
      if (!adjustment || adjustment.livemode !== principal.livemode) throw notFound('Adjustment');
      return { status: 200, body: presentAdjustment(adjustment) };
    },
  }),
  route({
    method: 'post',
    path: '/v1/admin/adjustments/{id}/approve',
    params: adjustmentParams,
    tag: TAG,
    summary: 'Approve and book an adjustment',
    description:
      'By another operator than its author (403 `APPROVAL_BY_AUTHOR`), whose account in production is older than a day (403 `APPROVER_TOO_NEW`). Not pending: 422 `ADJUSTMENT_ALREADY_PROCESSED`.',
    access: { operator: 'admin.adjustments.approve' },
    responses: { 200: answer },
    errors: [404, 422],
    async handle({ principal, params, context }) {
      const command = { principal, id: params.id ?? '', outcome: 'approved' as const };
      return { status: 200, body: presentAdjustment(await deps.processAdjustment(command, context)) };
    },
  }),
  route<{ readonly rejectionReason?: string | null }>({
    method: 'post',
    path: '/v1/admin/adjustments/{id}/reject',
    params: adjustmentParams,
    tag: TAG,
    summary: 'Reject an adjustment',
    description:
      'Nothing is booked. Its author may do so too. Not pending: 422 `ADJUSTMENT_ALREADY_PROCESSED`.',
    access: { operator: 'admin.adjustments.approve' },
    body: Joi.object({ rejectionReason: text(1024).allow(null).description('For its author.') })
      .optional()
      .example({ rejectionReason: 'booked already' }),
    responses: { 200: answer },
    errors: [404, 422],
    async handle({ principal, params, body, context }) {
      const { rejectionReason = null } = body;
      const command = { principal, id: params.id ?? '', outcome: 'rejected' as const, rejectionReason };
      return { status: 200, body: presentAdjustment(await deps.processAdjustment(command, context)) };
    },
  }),
];
