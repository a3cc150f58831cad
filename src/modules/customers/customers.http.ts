import Joi from 'joi';
import { type Route, route } from '../../platform/http/route.ts';
import { email, resourceId, text } from '../../platform/http/schemas.ts';
import type { CustomerName, EraseCustomer } from './write/erase-customer.ts';

const erasure = Joi.object({
  id: resourceId('ers').required().description('Names this erasure in the audit log.'),
  charges: Joi.number().integer().required().description('Charges that were changed.'),
}).label('Erasure');

export const customerRoutes = (eraseCustomer: EraseCustomer): readonly Route[] => [
  route<CustomerName>({
    method: 'post',
    path: '/v1/admin/customers/erase',
    tag: 'Customers (administration)',
    summary: 'Erase the personal data of a customer',
    description:
      'By e-mail address or document, exactly as the charges have it, in the environment of the token: names, ' +
      'e-mails, documents, phones, addresses and card holders go from charges, events and views; ' +
      'amounts and dates stay. It cannot be undone, and may be repeated. `metadata`, `reference` and `items` are ' +
      "the merchants' own and stay as they are.",
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
    responses: { 200: { description: 'What was erased.', schema: erasure } },
    async handle({ principal, body, context }) {
      const { livemode } = principal;
      return { status: 200, body: await eraseCustomer({ customer: body, livemode }, context) };
    },
  }),
];
