import { type Routes, route } from '../../platform/http/route.ts';
import type { CheckUrl } from '../../platform/outbound/check-url.ts';
import { type FindById, findVisible } from '../../platform/write-store/read-resource.ts';
import { splitNotAllowed } from '../charges/write/refusals.ts';
import { customerOwnerOnly } from '../customers/write/refusals.ts';
import { merchantNotActive } from '../merchants/write/refusals.ts';
import { paymentMethodNotAvailable } from '../providers/refusals.ts';
import { planNotActive, subscriptionOwnerOnly } from '../subscriptions/write/refusals.ts';
import { newSession, sessionAnswer, sessionParams, TAG } from './checkout.schemas.ts';
import { presentSession } from './read/checkout-session.view.ts';
import type { CancelCheckoutSession } from './write/cancel-session.ts';
import type { CheckoutSession } from './write/checkout-session.ts';
import type { CreateCheckoutSession } from './write/create-session.ts';
import { checkoutExpired, checkoutNotOpen, checkoutOwnerOnly, paymentInProgress } from './write/refusals.ts';

const access = { merchant: 'checkout.manage' } as const;

export const checkoutRoutes: Routes<{
  createCheckoutSession: CreateCheckoutSession;
  cancelCheckoutSession: CancelCheckoutSession;
  findSession: FindById<CheckoutSession>;
  checkUrl: CheckUrl;
}> = (deps) => [
  route({
    method: 'post',
    operationId: 'createCheckoutSession',
    path: '/v1/checkout-sessions',
    tag: TAG,
    summary: 'Create a checkout session',
    description:
      'Opens a page of the gateway, at `url`, on which one payer pays once, in the way that he chooses. Another charge begins only once the one before has ended, so that nobody pays twice. Send the payer there, and read the session, or wait for `charge.paid`, before you deliver: coming back to `returnUrl` proves nothing.',
    access,
    body: newSession,
    responses: { 201: { description: 'The session.', schema: sessionAnswer } },
    refusals: [
      merchantNotActive,
      subscriptionOwnerOnly,
      planNotActive,
      customerOwnerOnly,
      paymentMethodNotAvailable,
      splitNotAllowed,
    ],
    errors: [404],
    async handle({ principal, body, context }) {
      for (const path of ['returnUrl', 'cancelUrl', 'postbackUrl'] as const) deps.checkUrl(path, body[path]);
      const session = await deps.createCheckoutSession(
        { principal, request: { ...body, amount: body.amount ?? null } },
        context,
      );
      return { status: 201, body: presentSession(session) };
    },
  }),
  route({
    method: 'get',
    operationId: 'getCheckoutSession',
    path: '/v1/checkout-sessions/{id}',
    holdsSecret: true,
    params: sessionParams,
    tag: TAG,
    summary: 'Read a checkout session',
    description: 'Reads the write store, so the answer is never behind.',
    access: { ...access, operator: 'admin.charges.read' },
    responses: { 200: { description: 'The session.', schema: sessionAnswer } },
    errors: [404],
    async handle({ principal, params: { id } }) {
      const session = await findVisible(deps.findSession, principal, id, 'Checkout session');
      return { status: 200, body: presentSession(session) };
    },
  }),
  route({
    method: 'post',
    operationId: 'cancelCheckoutSession',
    path: '/v1/checkout-sessions/{id}/cancel',
    params: sessionParams,
    tag: TAG,
    summary: 'Cancel a checkout session',
    description:
      'Ends it for the payer. A charge that waits for him is cancelled first; one in analysis, or of which nobody knows the outcome, is waited for (409).',
    access,
    responses: { 200: { description: 'The cancelled session.', schema: sessionAnswer } },
    refusals: [checkoutOwnerOnly, paymentInProgress, checkoutExpired, checkoutNotOpen],
    errors: [404],
    async handle({ principal, params: { id }, context }) {
      const session = await deps.cancelCheckoutSession({ principal, id }, context);
      return { status: 200, body: presentSession(session) };
    },
  }),
];
