import { type Routes, route } from '../../platform/http/route.ts';
import { type FindById, findVisible } from '../../platform/write-store/read-resource.ts';
import { customerAnswer, customerChanges, customerParams, newCustomer, TAG } from './customers.schemas.ts';
import { presentCustomer } from './read/customer.view.ts';
import type { CustomerFields, CustomerRecord } from './write/customer.ts';
import type { CreateCustomer, DeleteCustomer, UpdateCustomer } from './write/manage-customers.ts';
import { customerChangesExhausted, customerOwnerOnly } from './write/refusals.ts';

const access = { merchant: 'customers.manage' } as const;

export const customerRoutes: Routes<{
  createCustomer: CreateCustomer;
  updateCustomer: UpdateCustomer;
  deleteCustomer: DeleteCustomer;
  findCustomer: FindById<CustomerRecord>;
}> = (deps) => [
  route<CustomerFields>({
    method: 'post',
    operationId: 'createCustomer',
    path: '/v1/customers',
    tag: TAG,
    summary: 'Create a customer',
    description:
      'Keeps a payer in the environment of the key, so that charges name it by `customerId`. Check digits of its document count with test keys, too.',
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
      'Reads the write store, so the answer is never behind. A customer that was deleted is answered by its id, its dates and `deletedAt`.',
    access: { ...access, operator: 'admin.charges.read' },
    responses: { 200: { description: 'The customer.', schema: customerAnswer } },
    errors: [404],
    async handle({ principal, params }) {
      const customer = await findVisible(deps.findCustomer, principal, params.id ?? '', 'Customer');
      return { status: 200, body: presentCustomer(customer) };
    },
  }),
  route<Partial<CustomerFields>>({
    method: 'patch',
    operationId: 'updateCustomer',
    path: '/v1/customers/{id}',
    params: customerParams,
    tag: TAG,
    summary: 'Change a customer',
    description: 'Members that are absent stay as they are; charges keep the facts that they were made with.',
    access,
    body: customerChanges,
    responses: { 200: { description: 'The changed customer.', schema: customerAnswer } },
    refusals: [customerOwnerOnly, customerChangesExhausted],
    errors: [404],
    async handle({ principal, params, body, context }) {
      const command = { principal, id: params.id ?? '', changes: body };
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
      'Takes all personal data and `metadata` out of the customer and its history. It cannot be undone, and may be repeated. Charges keep their copy until an operator erases it.',
    access,
    responses: { 204: { description: 'It is deleted.' } },
    refusals: [customerOwnerOnly],
    errors: [404],
    async handle({ principal, params, context }) {
      await deps.deleteCustomer({ principal, id: params.id ?? '' }, context);
      return { status: 204 };
    },
  }),
];
