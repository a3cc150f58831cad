import Joi from 'joi';
import { MERCHANT_PERMISSIONS, OPERATOR_PERMISSIONS } from '../../kernel/principal.ts';
import { type Routes, route } from '../../platform/http/route.ts';
import { livemode, oneOf, resourceId } from '../../platform/http/schemas.ts';
import type { GetMerchant } from '../merchants/read/get-merchant.ts';
import { MERCHANT_ROLES, MERCHANT_STATUSES } from '../merchants/write/merchant.ts';
import type { GetUser } from './read/get-user.ts';
import { sessionOf, USERS_ONLY } from './sessions.http.ts';

const answer = Joi.object({
  id: resourceId('usr').required(),
  email: Joi.string().required().description('E-mail address that the user logs in with.'),
  name: Joi.string().allow(null).required().description('Name of the user; null without one.'),
  secondFactor: Joi.boolean().required().description('Whether the login takes a code besides the password.'),
  livemode: livemode().required(),
  permissions: Joi.array()
    .items(Joi.string().valid(...OPERATOR_PERMISSIONS, ...MERCHANT_PERMISSIONS))
    .required()
    .description('Permissions that the token has at this moment.'),
  merchant: Joi.object({
    id: resourceId('mer').required(),
    legalName: Joi.string().required().description('Name of the company.'),
    role: oneOf(MERCHANT_ROLES).description('`MerchantMaster`: it can have sub-merchants.'),
    masterId: resourceId('mer').allow(null).required().description('The master of a sub-merchant.'),
    status: oneOf(MERCHANT_STATUSES).description('Only an `active` merchant can sell and be paid out.'),
    timeZone: Joi.string().required().description('IANA time zone of its days.'),
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
    summary: 'Read the user that the token stands for',
    description: 'Returns the user, its merchant and its permissions, for programs with screens.',
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
