import Joi from 'joi';
import { type Routes, route } from '../../platform/http/route.ts';
import { email, resourceId, text } from '../../platform/http/schemas.ts';
import type { CustomerName, EraseCustomer } from './write/erase-customer.ts';

const erasure = Joi.object({
  id: resourceId('ers').required().description('Names this erasure in the audit log.'),
  charges: Joi.number().integer().required().description('Charges that were changed.'),
  customers: Joi.number().integer().required().description("Merchants' customers that were emptied."),
}).label('Erasure');

export const erasureRoutes: Routes<{ eraseCustomer: EraseCustomer }> = (deps) => [
  route<CustomerName>({
    method: 'post',
    operationId: 'eraseCustomer',
    path: '/v1/admin/customers/erase',
    tag: 'Customers (administration)',
    summary: 'Erase the personal data of a customer',
    description:
      "Finds charges, merchants' customers and checkout sessions of the environment by the e-mail address or document that they have; it empties those customers, and cancels those sessions that are open. Removes names, e-mails, documents, phones, addresses and card holders from charges, sessions, events and views. Amounts and dates stay, and so do `metadata`, `reference` and `items`, which belong to the merchants. It cannot be undone, and may be repeated. A customer of very many charges gets 503 after half a minute: the repeated request goes on.",
    access: { operator: 'admin.customers.erase' },
    body: Joi.object({
      email: email().description(
        'As the charges have it, in upper or lower case; either this or `document`.',
      ),
      document: text(32).description('Number of the document, exactly as the charges have it.'),
    })
      .length(1)
      .example({ email: 'ana@example.com' })
      .label('ErasureRequest'),
    responses: { 200: { description: 'The erasure.', schema: erasure } },
    async handle({ principal, body, context }) {
      const { livemode } = principal;
      return { status: 200, body: await deps.eraseCustomer({ customer: body, livemode }, context) };
    },
  }),
];
