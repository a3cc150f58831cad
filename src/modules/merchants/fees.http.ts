import { asMerchant } from '../../kernel/principal.ts';
import { type Routes, route } from '../../platform/http/route.ts';
import { definitions, TERMS_TAG } from './fees.schemas.ts';
import { merchantParams } from './merchants.schemas.ts';
import type { GetFeeDefinitions } from './read/get-fee-definitions.ts';
import type { PutFeeDefinitions } from './write/put-fee-definitions.ts';

const TAG = 'Fees (administration)';

export const feeRoutes: Routes<{
  putFeeDefinitions: PutFeeDefinitions;
  getFeeDefinitions: GetFeeDefinitions;
}> = (deps) => [
  route({
    method: 'put',
    operationId: 'replaceFeeDefinitions',
    path: '/v1/admin/merchants/{id}/fee-definitions',
    params: merchantParams,
    summary: "Replace a merchant's fee definitions",
    description: `Replaces the entire list. The spread of a charge is fixed + amount × percentages[installments − 1] / 100, and never above the amount. The definition of the brand takes precedence over that of the method. A live charge without a definition is refused (422 \`FEES_NOT_CONFIGURED\`); a test charge has the spread 0. Definitions are versioned; a charge keeps the version that it used. Fees of type \`anticipation\` are applied by \`POST /v1/anticipations\`. Two definitions for the same fee type, method, currency and brand are answered with 400.`,
    tag: TAG,
    access: { operator: 'admin.merchants.update' },
    body: definitions,
    responses: { 200: { description: 'The definitions as stored.', schema: definitions } },
    errors: [404],
    async handle({ params, body, context }) {
      const command = { merchantId: params.id, definitions: body };
      const stored = await deps.putFeeDefinitions(command, context);
      return { status: 200, body: stored.definitions };
    },
  }),
  route({
    method: 'get',
    operationId: 'getFeeDefinitions',
    path: '/v1/admin/merchants/{id}/fee-definitions',
    params: merchantParams,
    summary: "Read a merchant's fee definitions",
    tag: TAG,
    access: { operator: 'admin.merchants.read' },
    responses: {
      200: {
        description: 'The definitions as stored; an empty list where there are none.',
        schema: definitions,
      },
    },
    errors: [404],
    async handle({ params }) {
      return { status: 200, body: await deps.getFeeDefinitions(params.id) };
    },
  }),
  route({
    method: 'get',
    operationId: 'getOwnFees',
    path: '/v1/fees',
    summary: "Read one's own fees",
    description:
      'Shows the definitions of the fees for the next charge, anticipation and payout of the merchant. The `spread` of a charge is the fee that it has cost, and `GET /v1/statement/{id}/explain` shows how it was computed.',
    tag: TERMS_TAG,
    access: { merchant: 'fees.read' },
    responses: {
      200: {
        description: 'The definitions as an operator has stored them; an empty list where there are none.',
        schema: definitions,
      },
    },
    async handle({ principal }) {
      return { status: 200, body: await deps.getFeeDefinitions(asMerchant(principal).merchantId) };
    },
  }),
];
