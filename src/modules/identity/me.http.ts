import { MERCHANT_PERMISSIONS, OPERATOR_PERMISSIONS } from '../../kernel/principal.ts';
import { type Routes, route } from '../../platform/http/route.ts';
import { livemode, oneOf, resourceId } from '../../platform/http/schemas.ts';
import { arrayOf, boolean, object, string } from '../../platform/http/typed.ts';
import type { GetMerchant } from '../merchants/read/get-merchant.ts';
import { MERCHANT_ROLES, MERCHANT_STATUSES } from '../merchants/write/merchant.ts';
import type { GetUser } from './read/get-user.ts';
import { sessionOf, USERS_ONLY } from './sessions.http.ts';

const answer = object({
  id: resourceId('usr').required(),
  email: string().required().description('E-mail address with which the user logs in.'),
  name: string().allow(null).required().description('Name of the user; null without one.'),
  secondFactor: boolean().required().description('Whether the login needs a code besides the password.'),
  livemode: livemode().required(),
  permissions: arrayOf(string().valid(...OPERATOR_PERMISSIONS, ...MERCHANT_PERMISSIONS))
    .required()
    .description('Permissions that the token has at this moment.'),
  merchant: object({
    id: resourceId('mer').required(),
    legalName: string().required().description('Name of the company.'),
    role: oneOf(MERCHANT_ROLES).description('A `MerchantMaster` can have sub-merchants.'),
    masterId: resourceId('mer')
      .allow(null)
      .required()
      .description('The master, if the merchant is a sub-merchant.'),
    status: oneOf(MERCHANT_STATUSES).description('Only an `active` merchant can sell and be paid out.'),
    timeZone: string().required().description('IANA time zone of the merchant.'),
  })
    .label('OwnMerchant')
    .allow(null)
    .required()
    .description('The merchant that the user belongs to; null for an operator.'),
}).label('Me');

export const meRoutes: Routes<{ getUser: GetUser; getMerchant: GetMerchant }> = (deps) => [
  route({
    method: 'get',
    operationId: 'getMe',
    path: '/v1/auth/me',
    summary: 'Read the user of the token',
    description:
      'Returns the user, its merchant and its permissions, so that a user interface can adapt to them.',
    tag: 'Authentication',
    access: USERS_ONLY,
    responses: { 200: { description: 'The user.', schema: answer } },
    async handle({ principal }) {
      const { id, email, name, secondFactor, merchantId } = await deps.getUser(sessionOf(principal).userId);
      const merchant = merchantId === null ? null : await deps.getMerchant(merchantId);
      const { livemode: isLive, permissions } = principal;
      return {
        status: 200,
        body: {
          id,
          email,
          name,
          secondFactor,
          livemode: isLive,
          permissions,
          merchant: merchant && {
            id: merchant.id,
            legalName: merchant.legalName,
            role: merchant.role,
            masterId: merchant.masterId,
            status: merchant.status,
            timeZone: merchant.timeZone,
          },
        },
      };
    },
  }),
];
