import Joi from 'joi';
import type { Timestamp } from '../../kernel/clock.ts';
import { forbidden, notFound } from '../../kernel/errors.ts';
import { mayRead, type Principal } from '../../kernel/principal.ts';
import { consistencyTokenOf, type Route, route } from '../../platform/http/route.ts';
import { currency, dateTime, instant, money, pageOf, resourceId, text } from '../../platform/http/schemas.ts';
import type { ListQuery } from '../../platform/read-store/list.ts';
import { chargeParams, listedCharge } from '../charges/charges.schemas.ts';
import { presentStored } from '../charges/read/get-charge.ts';
import { REFUND_STATUSES } from '../refunds/write/refund.ts';
import { presentAlert } from './read/alert.view.ts';
import { ALERT_LIST, type ListAlerts } from './read/list-alerts.ts';
import type { ChargebackAlert } from './write/alert.ts';
import type { ConfirmChargeback } from './write/confirm-chargeback.ts';
import type { RegisterAlert } from './write/register-alert.ts';

const TAG = 'Chargebacks (administration)';
const CONFIRMATION =
  'From `pre_chargeback` without another debit, from `paid` with the debit of the charge, from every other status 422 `TRANSITION_NOT_ALLOWED`. While a refund of it is pending: 422 `REFUND_PENDING`; to be entered again once the refund has its outcome.';

const alertRequest = Joi.object({
  chargeId: text(64).required().description('A `paid` charge without an alert, `chg_…`.'),
  reason: text(1024).allow(null).description('Why the chargeback is to come, in words.'),
  externalId: text(128).allow(null).description("The announcer's own reference; need not be unique."),
  receivedAt: instant()
    .allow(null)
    .description('When the announcement came: ISO 8601 date-time with a time zone.'),
})
  .example({
    chargeId: 'chg_01a1fe9cad9175e79603dda268ed6486',
    reason: 'fraud',
    externalId: 'alert-77',
    receivedAt: '2026-11-21T12:00:00Z',
  })
  .label('ChargebackAlertRequest');

const alertAnswer = Joi.object({
  id: resourceId('cba').required(),
  chargeId: resourceId('chg').required(),
  merchantId: resourceId('mer').required(),
  status: Joi.string()
    .valid('registered')
    .required()
    .description('Never changes; `charge.status` tells whether the chargeback was confirmed.'),
  externalId: Joi.string()
    .allow(null)
    .required()
    .description("The announcer's own reference; null without one."),
  reason: Joi.string().allow(null).required().description('Why the chargeback is to come; null if unsaid.'),
  receivedAt: dateTime()
    .allow(null)
    .required()
    .description("When the announcement came, by the operator's word; null if unsaid."),
  refund: Joi.object({
    id: resourceId('ref').required(),
    mode: Joi.string()
      .valid('automatic', 'manual')
      .required()
      .description('`manual`: the provider did not refund; finance does, see `manualRefundRequestId`.'),
    status: Joi.string()
      .valid(...REFUND_STATUSES)
      .required()
      .description('At the provider (specification 3.2); the merchant was debited whatever it is.'),
    reason: Joi.string()
      .allow(null)
      .required()
      .description('Why the provider did not refund, such as `refund_not_supported`; null otherwise.'),
    pspRefundRefId: Joi.string()
      .allow(null)
      .required()
      .description('Reference of the refund at the provider; null without one.'),
  })
    .required()
    .description('The refund that the alert asked the provider for.'),
  fee: Joi.object({
    amount: money('What was debited.').required(),
    currency: currency().required(),
    ledgerEntryId: resourceId('led').required(),
  })
    .required()
    .description("Debited from the merchant's `available` balance in its own currency."),
  charge: Joi.object({
    id: resourceId('chg').required(),
    status: Joi.string()
      .valid('pre_chargeback', 'chargeback')
      .required()
      .description('`chargeback` once the acquirer has confirmed it.'),
  })
    .required()
    .description('The charge as it stands after the alert.'),
  manualRefundRequestId: resourceId('mrr')
    .allow(null)
    .required()
    .description('The refund that finance has to make; null while the provider may still do it.'),
  createdAt: dateTime().required(),
}).label('ChargebackAlert');

type AlertBody = {
  readonly chargeId: string;
  readonly reason?: string | null;
  readonly externalId?: string | null;
  readonly receivedAt?: Timestamp | null;
};

export const chargebackRoutes = (deps: {
  readonly registerAlert: RegisterAlert;
  readonly findAlert: (id: string) => Promise<ChargebackAlert | null>;
  readonly listAlerts: ListAlerts;
  readonly confirmChargeback: ConfirmChargeback;
}): readonly Route[] => [
  route<AlertBody>({
    method: 'post',
    path: '/v1/admin/chargeback-alerts',
    tag: TAG,
    summary: 'Register a chargeback alert',
    description:
      "Refunds the charge, debits the merchant's alert fee and moves the charge to `pre_chargeback`. The debit is complete whatever the provider says: one that does not refund makes `refund.mode` `manual` and queues a manual refund request. Checks, in this order: 404; 422 `CHARGEBACK_ALERT_ALREADY_REGISTERED`, `REFUND_ALREADY_EXISTS` (a refund is pending), `CHARGE_NOT_PAID`; 400 `CHARGEBACK_ALERT_FEE_NOT_CONFIGURED`. A failed check changes nothing.",
    access: { operator: 'admin.chargeback_alerts.create' },
    body: alertRequest,
    responses: { 201: { description: 'The alert.', schema: alertAnswer } },
    errors: [404, 422],
    async handle({ principal, body, context }) {
      const { chargeId, reason = null, externalId = null, receivedAt = null } = body;
      const command = { principal, chargeId, reason, externalId, receivedAt };
      return { status: 201, body: presentAlert(await deps.registerAlert(command, context)) };
    },
  }),
  route<unknown, ListQuery>({
    method: 'get',
    path: '/v1/admin/chargeback-alerts',
    tag: TAG,
    summary: 'List chargeback alerts',
    description: 'Newest first by default.',
    access: { operator: ['admin.chargeback_alerts.create', 'admin.charges.read'] },
    query: ALERT_LIST.query,
    consistent: true,
    responses: {
      200: { description: 'A page of alerts.', schema: pageOf(alertAnswer).label('ChargebackAlertList') },
    },
    async handle(request) {
      const { principal, query } = request;
      return { status: 200, body: await deps.listAlerts(principal, query, consistencyTokenOf(request)) };
    },
  }),
  route({
    method: 'get',
    path: '/v1/admin/chargeback-alerts/{id}',
    params: { id: 'Id of the alert, `cba_…`.' },
    tag: TAG,
    summary: 'Read a chargeback alert',
    description: 'Read from the write store: never behind.',
    access: { operator: ['admin.chargeback_alerts.create', 'admin.charges.read'] },
    responses: { 200: { description: 'The alert.', schema: alertAnswer } },
    errors: [404],
    async handle({ principal, params }) {
      const alert = await deps.findAlert(params.id ?? '');
      if (!alert || !mayRead(principal, { ...alert, masterId: null })) throw notFound('Chargeback alert');
      return { status: 200, body: presentAlert(alert) };
    },
  }),
  route({
    method: 'post',
    path: '/v1/admin/charges/{id}/chargeback',
    params: chargeParams,
    tag: TAG,
    summary: 'Confirm a chargeback',
    description: `What the acquirer decided in the dispute. ${CONFIRMATION}`,
    access: { operator: 'admin.chargebacks.confirm' },
    responses: { 200: { description: 'The charge.', schema: listedCharge } },
    errors: [404, 422],
    async handle({ principal, params, context }) {
      const charge = await deps.confirmChargeback({ principal, chargeId: params.id ?? '' }, context);
      return { status: 200, body: presentStored(charge) };
    },
  }),
];

/** Decisions 4: what the acquirer would do, for test keys only. */
export const chargebackTestHelperRoutes = (confirmChargeback: ConfirmChargeback): readonly Route[] => [
  route({
    method: 'post',
    path: '/v1/test-helpers/charges/{id}/chargeback',
    params: chargeParams,
    tag: 'Test helpers',
    summary: 'Let the acquirer confirm a chargeback',
    description: `Test keys only. ${CONFIRMATION}`,
    access: { merchant: 'charges.create' },
    responses: { 200: { description: 'The charge.', schema: listedCharge } },
    errors: [404, 422],
    async handle({ principal, params, context }) {
      assertTest(principal);
      const charge = await confirmChargeback({ principal, chargeId: params.id ?? '' }, context);
      return { status: 200, body: presentStored(charge) };
    },
  }),
];

const assertTest = (principal: Principal): void => {
  if (principal.livemode) throw forbidden('TEST_ENVIRONMENT_ONLY');
};
