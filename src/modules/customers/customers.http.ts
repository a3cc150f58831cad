import { type Routes, route } from '../../platform/http/route.ts';
import { type FindById, findVisible } from '../../platform/write-store/read-resource.ts';
import { customerAnswer, customerChanges, customerParams, newCustomer, TAG } from './customers.schemas.ts';
import { presentCustomer } from './read/customer.view.ts';
import type { CustomerRecord } from './write/customer.ts';
import type { CreateCustomer, DeleteCustomer, UpdateCustomer } from './write/manage-customers.ts';
import { customerChangesExhausted, customerHasSubscriptions, customerOwnerOnly } from './write/refusals.ts';

const access = { merchant: 'customers.manage' } as const;

export const customerRoutes: Routes<{
  createCustomer: CreateCustomer;
  updateCustomer: UpdateCustomer;
  deleteCustomer: DeleteCustomer;
  findCustomer: FindById<CustomerRecord>;
}> = (deps) => [
  route({
    method: 'post',
    operationId: 'createCustomer',
    path: '/v1/customers',
    tag: TAG,
    summary: 'Create a customer',
    description:
      'Stores a payer in the environment of the key, so that charges can refer to the payer by `customerId`. Check digits of the document have to be right with test keys, too.',
    access,
    body: newCustomer,
    responses: { 201: { description: 'The customer.', schema: customerAnswer } },
    async handle({ principal, body, context }) {
      const customer = await deps.createCustomer({ principal, fields: body }, context);
      return { status: 201, body: presentCustomer(customer) };
    },
  }),
  route({
    method: 'get',
    operationId: 'getCustomer',
    path: '/v1/customers/{id}',
    params: customerParams,
    tag: TAG,
    summary: 'Read a customer',
    description:
      'Reads the write store, so the answer is never behind. For a deleted customer the answer has only the id, the dates and `deletedAt`.',
    access: { ...access, operator: 'admin.charges.read' },
    responses: { 200: { description: 'The customer.', schema: customerAnswer } },
    errors: [404],
    async handle({ principal, params }) {
      const customer = await findVisible(deps.findCustomer, principal, params.id, 'Customer');
      return { status: 200, body: presentCustomer(customer) };
    },
  }),
  route({
    method: 'patch',
    operationId: 'updateCustomer',
    path: '/v1/customers/{id}',
    params: customerParams,
    tag: TAG,
    summary: 'Change a customer',
    description:
      'Members that are absent stay as they are. Charges keep the data with which they were created.',
    access,
    body: customerChanges,
    responses: { 200: { description: 'The changed customer.', schema: customerAnswer } },
    refusals: [customerOwnerOnly, customerChangesExhausted],
    errors: [404],
    async handle({ principal, params, body, context }) {
      const command = { principal, id: params.id, changes: body };
      return { status: 200, body: presentCustomer(await deps.updateCustomer(command, context)) };
    },
  }),
  route({
    method: 'delete',
    operationId: 'deleteCustomer',
    path: '/v1/customers/{id}',
    params: customerParams,
    tag: TAG,
    summary: 'Delete a customer',
    description:
      'Removes all personal data and `metadata` from the customer and its history. The deletion cannot be undone, and may be repeated. It is refused while a subscription of the customer has not ended. Charges keep their copy until an operator erases it.',
    access,
    responses: { 204: { description: 'The customer is deleted.' } },
    refusals: [customerOwnerOnly, customerHasSubscriptions],
    errors: [404],
    async handle({ principal, params, context }) {
      await deps.deleteCustomer({ principal, id: params.id }, context);
      return { status: 204 };
    },
  }),
];
