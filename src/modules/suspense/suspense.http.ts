import Joi from 'joi';
import { notFound } from '../../kernel/errors.ts';
import type { MerchantId } from '../../kernel/ids.ts';
import { consistencyTokenOf, type Route, route } from '../../platform/http/route.ts';
import {
  currency,
  dateTime,
  livemode,
  money,
  pageOf,
  resourceId,
  text,
} from '../../platform/http/schemas.ts';
import type { ListQuery } from '../../platform/read-store/list.ts';
import { type ListSuspenseItems, SUSPENSE_LIST } from './read/list-suspense-items.ts';
import { presentSuspenseItem } from './read/suspense-item.view.ts';
import type { ClearSuspense } from './write/clear-suspense.ts';
import {
  CLEARING_METHODS,
  CLEARING_STATUSES,
  type ClearingMethod,
  SUSPENSE_REASONS,
  SUSPENSE_STATUSES,
  type SuspenseItem,
} from './write/suspense.ts';

const TAG = 'Suspense (administration)';

const nullable = (schema: Joi.Schema): Joi.Schema => schema.allow(null).required();

const METHOD =
  '`give_back`: the provider gives it back to whoever paid; `merchant`: it is booked to the `available` balance of ' +
  '`merchantId`, out of it where the money left the provider; `gateway`: it is income of the gateway, or its loss.';

const clearing = Joi.object({
  method: Joi.string()
    .valid(...CLEARING_METHODS)
    .required()
    .description(METHOD),
  merchantId: nullable(resourceId('mer')).description('Null unless the method is `merchant`.'),
  reason: Joi.string().required().description('Why it is to be done.'),
  status: Joi.string()
    .valid(...CLEARING_STATUSES)
    .required()
    .description('Money moves once it is `approved`; `failed`: the provider would not give it back.'),
  proposedByUserId: resourceId('usr').required().description('The author, who may not approve it.'),
  proposedAt: dateTime().required().description('When it was proposed.'),
  processedByUserId: nullable(resourceId('usr')).description('Who approved or rejected it; null before.'),
  processedAt: nullable(dateTime()).description('When it was approved or rejected; null before.'),
  rejectionReason: nullable(Joi.string()).description('Null unless it was rejected with a reason.'),
}).label('SuspenseClearing');

const suspenseItem = Joi.object({
  id: resourceId('sus').required(),
  livemode: livemode().required(),
  status: Joi.string()
    .valid(...SUSPENSE_STATUSES)
    .required()
    .description(
      '`held`: it waits to be placed; `returning`: the provider is to give it back; `returned`; `booked`.',
    ),
  reason: Joi.string()
    .valid(...SUSPENSE_REASONS)
    .required()
    .description("Why it is nobody's. A `late_payment` is given back at once."),
  direction: Joi.string()
    .valid('in', 'out')
    .required()
    .description('`in`: it came to the provider; `out`: it left it.'),
  amount: money('Above zero.').required(),
  currency: currency().required(),
  provider: Joi.string().required().description('Name of the provider.'),
  reference: Joi.string().required().description('Of the payment or the refund, as the provider names it.'),
  pspRefId: nullable(Joi.string()).description("The provider's own reference."),
  chargeId: nullable(resourceId('chg')).description('The charge that it seems to be about.'),
  merchantId: nullable(resourceId('mer')).description('The merchant of that charge.'),
  clearing: clearing.allow(null).required().description('The last one that was proposed; null before.'),
  returnFailure: nullable(Joi.string()).description('Why the provider would not give it back.'),
  pspRefundRefId: nullable(Joi.string()).description("The provider's reference of the return."),
  createdAt: dateTime().required(),
  updatedAt: dateTime().required(),
}).label('SuspenseItem');

type NewClearingBody = {
  readonly method: ClearingMethod;
  readonly merchantId?: MerchantId;
  readonly reason: string;
};

const newClearing = Joi.object({
  method: Joi.string()
    .valid(...CLEARING_METHODS)
    .required()
    .description(METHOD),
  merchantId: text(64)
    .when('method', { is: 'merchant', then: Joi.required(), otherwise: Joi.forbidden() })
    .description('With the method `merchant`, and only then: `mer_…`.'),
  reason: text(1024).required().description('For whoever approves it, and for the audit.'),
})
  .example({ method: 'give_back', reason: 'paid twice, says the payer' })
  .label('SuspenseClearingRequest');

const params = { id: 'Id of the suspense item, `sus_…`.' };
const answer = { description: 'The suspense item.', schema: suspenseItem };
const READERS = ['admin.adjustments.create', 'admin.adjustments.approve'] as const;

export const suspenseRoutes = (deps: {
  readonly clearSuspense: ClearSuspense;
  readonly findSuspenseItem: (id: string) => Promise<SuspenseItem | null>;
  readonly listSuspenseItems: ListSuspenseItems;
}): readonly Route[] => [
  route<unknown, ListQuery>({
    method: 'get',
    path: '/v1/admin/suspense-items',
    tag: TAG,
    summary: 'List money that belongs to nobody yet',
    description: 'Newest first by default.',
    access: { operator: READERS },
    query: SUSPENSE_LIST.query,
    consistent: true,
    responses: {
      200: {
        description: 'A page of suspense items.',
        schema: pageOf(suspenseItem).label('SuspenseItemList'),
      },
    },
    async handle(request) {
      const { principal, query } = request;
      return {
        status: 200,
        body: await deps.listSuspenseItems(principal, query, consistencyTokenOf(request)),
      };
    },
  }),
  route({
    method: 'get',
    path: '/v1/admin/suspense-items/{id}',
    params,
    tag: TAG,
    summary: 'Read a suspense item',
    description: 'Read from the write store: never behind.',
    access: { operator: READERS },
    responses: { 200: answer },
    errors: [404],
    async handle({ principal, params: { id = '' } }) {
      const item = await deps.findSuspenseItem(id);
      if (item?.livemode !== principal.livemode) throw notFound('Suspense item');
      return { status: 200, body: presentSuspenseItem(item) };
    },
  }),
  route<NewClearingBody>({
    method: 'post',
    path: '/v1/admin/suspense-items/{id}/clearing',
    params,
    tag: TAG,
    summary: 'Propose what becomes of a suspense item',
    description:
      'Nothing moves until another operator approves it. Checked in this order, all 422: `SUSPENSE_ITEM_NOT_HELD`, ' +
      '`CLEARING_ALREADY_PROPOSED`, `SUSPENSE_ITEM_NOT_RETURNABLE` (money that left the provider cannot be given ' +
      "back). 404 for a merchant that is not of the token's environment.",
    access: { operator: 'admin.adjustments.create' },
    body: newClearing,
    responses: { 200: answer },
    errors: [404, 422],
    async handle({ principal, params: { id = '' }, body, context }) {
      const clearing = { ...body, merchantId: body.merchantId ?? null };
      const command = { principal, id, step: 'propose' as const, clearing };
      return { status: 200, body: presentSuspenseItem(await deps.clearSuspense(command, context)) };
    },
  }),
  route({
    method: 'post',
    path: '/v1/admin/suspense-items/{id}/clearing/approve',
    params,
    tag: TAG,
    summary: 'Approve a clearing',
    description:
      'By another operator than its author (403 `APPROVAL_BY_AUTHOR`). Books the money, or asks the provider to give ' +
      'it back: the item is `returned` once the provider says so, and `held` again with `returnFailure` where it ' +
      'refuses. A provider that does not answer is asked again. None pending: 422 `CLEARING_NOT_PENDING`.',
    access: { operator: 'admin.adjustments.approve' },
    responses: { 200: answer },
    errors: [404, 422],
    async handle({ principal, params: { id = '' }, context }) {
      const command = { principal, id, step: 'approve' as const };
      return { status: 200, body: presentSuspenseItem(await deps.clearSuspense(command, context)) };
    },
  }),
  route<{ readonly rejectionReason?: string | null }>({
    method: 'post',
    path: '/v1/admin/suspense-items/{id}/clearing/reject',
    params,
    tag: TAG,
    summary: 'Reject a clearing',
    description:
      'Nothing moves, and another may be proposed. Its author may do so too. None pending: 422 `CLEARING_NOT_PENDING`.',
    access: { operator: 'admin.adjustments.approve' },
    body: Joi.object({ rejectionReason: text(1024).allow(null).description('For its author.') })
      .optional()
      .example({ rejectionReason: 'it is of another charge' }),
    responses: { 200: answer },
    errors: [404, 422],
    async handle({ principal, params: { id = '' }, body, context }) {
      const { rejectionReason = null } = body;
      const command = { principal, id, step: 'reject' as const, rejectionReason };
      return { status: 200, body: presentSuspenseItem(await deps.clearSuspense(command, context)) };
    },
  }),
];
