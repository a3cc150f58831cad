import type { Container } from 'inversify';
import type { CommandContext } from '../src/kernel/event.ts';
import { MERCHANT_PERMISSIONS } from '../src/kernel/principal.ts';
import {
  CREATE_API_KEY,
  CREATE_MERCHANT,
  PUT_FEE_DEFINITIONS,
  PUT_SETTING,
} from '../src/modules/merchants/merchants.module.ts';
import type { FeeDefinition } from '../src/modules/merchants/write/fees.ts';
import { ENABLE_CONNECT } from '../src/modules/merchants/write/setting.ts';
import { CREATE_SUBMERCHANT, MOVE_STATUS } from '../src/modules/submerchants/submerchants.module.ts';

const PAYOUT_FEE: FeeDefinition = {
  fee_type: 'payout',
  currency_code: 'BRL',
  definition: { fixed: 100, variable: 0.5 },
};

/** A master with the marketplace module and one active sub-merchant in the sandbox; gives the master's test key. */
export const createDemoMarketplace = async (
  container: Container,
  fees: readonly FeeDefinition[],
  context: CommandContext,
): Promise<string> => {
  const { id: merchantId } = await container.get(CREATE_MERCHANT)(
    {
      legalName: 'Feira Livre Marketplace SA',
      email: 'feira@portico.test',
      companyTaxId: '45997418000153',
      role: 'MerchantMaster',
      timeZone: 'America/Sao_Paulo',
    },
    context,
  );
  const definitions = [...fees, PAYOUT_FEE];
  await container.get(PUT_FEE_DEFINITIONS)({ merchantId, definitions }, context);
  await container.get(PUT_SETTING)({ merchantId, name: ENABLE_CONNECT, content: true }, context);
  const key = await container.get(CREATE_API_KEY)({ merchantId, livemode: false }, context);
  const submerchant = await container.get(CREATE_SUBMERCHANT)(
    {
      principal: {
        kind: 'merchant',
        actor: { kind: 'key', id: key.id },
        credential: 'secret_key',
        merchantId,
        masterId: null,
        livemode: false,
        permissions: MERCHANT_PERMISSIONS,
      },
      fields: {
        legalName: 'Banca da Ana Ltda',
        email: 'ana@portico.test',
        companyTaxId: '11444777000161',
        phone: null,
        address: { country: 'BR', city: 'São Paulo' },
        postbackUrl: null,
      },
    },
    context,
  );
  await container.get(MOVE_STATUS)({ id: submerchant.id, status: 'active', reason: null }, context);
  return key.secretKey;
};
