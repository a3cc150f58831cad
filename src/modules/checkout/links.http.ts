import { type Routes, route } from '../../platform/http/route.ts';
import type { CheckUrl } from '../../platform/outbound/check-url.ts';
import { type FindById, findVisible } from '../../platform/write-store/read-resource.ts';
import { splitNotAllowed } from '../charges/write/refusals.ts';
import { merchantNotActive } from '../merchants/write/refusals.ts';
import { paymentMethodNotAvailable } from '../providers/refusals.ts';
import { planNotActive, subscriptionOwnerOnly } from '../subscriptions/write/refusals.ts';
import { LINK_TAG, linkAnswer, linkChanges, linkParams, newLink } from './links.schemas.ts';
import { presentLink } from './read/payment-link.view.ts';
import type { CancelPaymentLink, CreatePaymentLink, UpdatePaymentLink } from './write/manage-links.ts';
import type { PaymentLink } from './write/payment-link.ts';
import { checkoutOwnerOnly, linkExhausted, linkNotActive } from './write/refusals.ts';

const access = { merchant: 'checkout.manage' } as const;
const ENDED = [checkoutOwnerOnly, linkExhausted, linkNotActive];

const ofLink = { params: linkParams, tag: LINK_TAG } as const;

export const paymentLinkRoutes: Routes<{
  createPaymentLink: CreatePaymentLink;
  updatePaymentLink: UpdatePaymentLink;
  cancelPaymentLink: CancelPaymentLink;
  findLink: FindById<PaymentLink>;
  checkUrl: CheckUrl;
}> = (deps) => [
  route({
    method: 'post',
    operationId: 'createPaymentLink',
    path: '/v1/payment-links',
    tag: LINK_TAG,
    summary: 'Create a payment link',
    description:
      'Makes an address to send to payers, or to print as a QR code. Each payer gets a checkout session. Where more payers open the link at once than may pay, the others are told so before they can pay.',
    access,
    body: newLink,
    responses: { 201: { description: 'The link.', schema: linkAnswer } },
    refusals: [
      merchantNotActive,
      subscriptionOwnerOnly,
      planNotActive,
      paymentMethodNotAvailable,
      splitNotAllowed,
    ],
    errors: [404],
    async handle({ principal, body, context }) {
      deps.checkUrl('returnUrl', body.returnUrl);
      return {
        status: 201,
        body: presentLink(await deps.createPaymentLink({ principal, request: body }, context)),
      };
    },
  }),
  route({
    method: 'get',
    operationId: 'getPaymentLink',
    path: '/v1/payment-links/{id}',
    holdsSecret: true,
    ...ofLink,
    summary: 'Read a payment link',
    description: 'Reads the write store, so the answer is never behind.',
    access: { ...access, operator: 'admin.charges.read' },
    responses: { 200: { description: 'The link.', schema: linkAnswer } },
    errors: [404],
    async handle({ principal, params: { id } }) {
      return {
        status: 200,
        body: presentLink(await findVisible(deps.findLink, principal, id, 'Payment link')),
      };
    },
  }),
  route({
    method: 'patch',
    operationId: 'updatePaymentLink',
    path: '/v1/payment-links/{id}',
    ...ofLink,
    summary: 'Change a payment link',
    description: 'Members that are absent stay as they are. Payments that are under way go on.',
    access,
    body: linkChanges,
    responses: { 200: { description: 'The changed link.', schema: linkAnswer } },
    refusals: ENDED,
    errors: [404],
    async handle({ principal, params: { id }, body, context }) {
      const link = await deps.updatePaymentLink({ principal, id, changes: body }, context);
      return { status: 200, body: presentLink(link) };
    },
  }),
  route({
    method: 'post',
    operationId: 'cancelPaymentLink',
    path: '/v1/payment-links/{id}/cancel',
    ...ofLink,
    summary: 'Cancel a payment link',
    description: 'Nobody can begin to pay it any more; payments that are under way go on.',
    access,
    responses: { 200: { description: 'The cancelled link.', schema: linkAnswer } },
    refusals: ENDED,
    errors: [404],
    async handle({ principal, params: { id }, context }) {
      return { status: 200, body: presentLink(await deps.cancelPaymentLink({ principal, id }, context)) };
    },
  }),
];
