import { notFound } from '../../kernel/errors.ts';
import { mayRead, type Principal, testEnvironmentOnly } from '../../kernel/principal.ts';
import { type Routes, route } from '../../platform/http/route.ts';
import { chargeParams, listedCharge } from '../charges/charges.schemas.ts';
import { presentStored } from '../charges/read/charge.view.ts';
import { refundAlreadyExists, refundPending, transitionNotAllowed } from '../charges/write/refusals.ts';
import { ALERT_READERS, alertAnswer, alertRequest, TAG } from './chargebacks.schemas.ts';
import { presentAlert } from './read/alert.view.ts';
import type { ChargebackAlert } from './write/alert.ts';
import type { ConfirmChargeback } from './write/confirm-chargeback.ts';
import { alertAlreadyRegistered, alertFeeNotConfigured, chargeNotPaid } from './write/refusals.ts';
import type { RegisterAlert } from './write/register-alert.ts';

const CONFIRMATION =
  'A charge in `pre_chargeback` is not debited again, and a `paid` charge is debited. A pending refund, also one ' +
  'of an alert, has to get its outcome first. An open manual refund request of the charge is closed. If the payer had the ' +
  'money back already, the amount was paid twice and is held in suspense, so that reconciliation shows it until it is cleared.';

export const chargebackRoutes: Routes<{
  registerAlert: RegisterAlert;
  findAlert: (id: string) => Promise<ChargebackAlert | null>;
  confirmChargeback: ConfirmChargeback;
}> = (deps) => [
  route({
    method: 'post',
    operationId: 'createChargebackAlert',
    path: '/v1/admin/chargeback-alerts',
    tag: TAG,
    summary: 'Register a chargeback alert',
    description:
      "Refunds the charge, debits the merchant's alert fee and moves the charge to `pre_chargeback`. The merchant is debited in full whatever the provider answers. If the provider does not refund, `refund.mode` becomes `manual` and finance gets a manual refund request. A failed check changes nothing.",
    access: { operator: 'admin.chargeback_alerts.create' },
    body: alertRequest,
    responses: { 201: { description: 'The alert.', schema: alertAnswer } },
    refusals: [alertAlreadyRegistered, refundAlreadyExists, chargeNotPaid, alertFeeNotConfigured],
    errors: [404],
    async handle({ principal, body, context }) {
      const { chargeId, reason = null, externalId = null, receivedAt = null } = body;
      const command = { principal, chargeId, reason, externalId, receivedAt };
      return { status: 201, body: presentAlert(await deps.registerAlert(command, context)) };
    },
  }),
  route({
    method: 'get',
    operationId: 'getChargebackAlert',
    path: '/v1/admin/chargeback-alerts/{id}',
    params: { id: 'Id of the alert, `cba_…`.' },
    tag: TAG,
    summary: 'Read a chargeback alert',
    description: 'Reads the write store, so the answer is never behind.',
    access: { operator: ALERT_READERS },
    responses: { 200: { description: 'The alert.', schema: alertAnswer } },
    errors: [404],
    async handle({ principal, params }) {
      const alert = await deps.findAlert(params.id);
      if (!alert || !mayRead(principal, { ...alert, masterId: null })) throw notFound('Chargeback alert');
      return { status: 200, body: presentAlert(alert) };
    },
  }),
  route({
    method: 'post',
    operationId: 'confirmChargeback',
    path: '/v1/admin/charges/{id}/chargeback',
    params: chargeParams,
    tag: TAG,
    summary: 'Confirm a chargeback',
    description: `Records the acquirer's decision in a dispute. ${CONFIRMATION}`,
    access: { operator: 'admin.chargebacks.confirm' },
    responses: { 200: { description: 'The charge.', schema: listedCharge } },
    refusals: [refundPending, transitionNotAllowed],
    errors: [404],
    async handle({ principal, params, context }) {
      const charge = await deps.confirmChargeback({ principal, chargeId: params.id }, context);
      return { status: 200, body: presentStored(charge) };
    },
  }),
];

/** A test helper that plays the acquirer, for test keys only. */
export const chargebackTestHelperRoutes: Routes<{ confirmChargeback: ConfirmChargeback }> = (deps) => [
  route({
    method: 'post',
    operationId: 'confirmTestChargeback',
    path: '/v1/test-helpers/charges/{id}/chargeback',
    params: chargeParams,
    tag: 'Test helpers',
    summary: 'Let the acquirer confirm a chargeback',
    description: `Test keys only. ${CONFIRMATION}`,
    access: { merchant: 'charges.create' },
    responses: { 200: { description: 'The charge.', schema: listedCharge } },
    refusals: [testEnvironmentOnly, refundPending, transitionNotAllowed],
    errors: [404],
    async handle({ principal, params, context }) {
      assertTest(principal);
      const charge = await deps.confirmChargeback({ principal, chargeId: params.id }, context);
      return { status: 200, body: presentStored(charge) };
    },
  }),
];

const assertTest = (principal: Principal): void => {
  if (principal.livemode) throw testEnvironmentOnly();
};
