import { type Routes, route } from '../../platform/http/route.ts';
import { email, resourceId, text } from '../../platform/http/schemas.ts';
import { number, object, typed } from '../../platform/http/typed.ts';
import type { CustomerName, EraseCustomer } from './write/erase-customer.ts';

const erasure = object({
  id: resourceId('ers').required().description('Id of this erasure in the audit log.'),
  charges: number().integer().required().description('Number of charges that were changed.'),
  customers: number().integer().required().description("Number of merchants' customers that were emptied."),
}).label('Erasure');

const erasureRequest = typed<CustomerName>(
  object({
    email: email().description(
      'E-mail address in the charges, in upper or lower case; either this or `document`.',
    ),
    document: text(32).description('Number of the document, exactly as it is in the charges.'),
  })
    .length(1)
    .example({ email: 'ana@example.com' })
    .label('ErasureRequest'),
);

export const erasureRoutes: Routes<{ eraseCustomer: EraseCustomer }> = (deps) => [
  route({
    method: 'post',
    operationId: 'eraseCustomer',
    path: '/v1/admin/customers/erase',
    tag: 'Customers (administration)',
    summary: 'Erase the personal data of a customer',
    description:
      "Finds charges, merchants' customers and checkout sessions of the environment by their e-mail address or document. Empties these customers, and cancels open sessions. Removes names, e-mail addresses, documents, phone numbers, addresses and card holders from charges, sessions, events and views. Amounts and dates stay, and so do `metadata`, `reference` and `items`, which belong to the merchants. The erasure cannot be undone, and may be repeated. For a customer with very many charges the answer is 503 after half a minute; repeat the request, which continues where it stopped.",
    access: { operator: 'admin.customers.erase' },
    body: erasureRequest,
    responses: { 200: { description: 'The erasure.', schema: erasure } },
    async handle({ principal, body, context }) {
      const { livemode } = principal;
      return { status: 200, body: await deps.eraseCustomer({ customer: body, livemode }, context) };
    },
  }),
];
