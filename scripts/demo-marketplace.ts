import type { Container } from 'inversify';
import type { CommandContext } from '../src/kernel/event.ts';
import type { MerchantId } from '../src/kernel/ids.ts';
import { MERCHANT_PERMISSIONS } from '../src/kernel/principal.ts';
import { modules } from '../src/main/modules.ts';
import type { FeeDefinition } from '../src/modules/merchants/write/fees.ts';
import { ENABLE_CONNECT } from '../src/modules/merchants/write/setting.ts';

const PAYOUT_FEE: FeeDefinition = {
  fee_type: 'payout',
  currency_code: 'BRL',
  definition: { fixed: 100, variable: 0.5 },
};

/**
 * Creates a master with the marketplace module and one active sub-merchant in the sandbox; returns the master and its
 * test key.
 */
export const createDemoMarketplace = async (
  container: Container,
  fees: readonly FeeDefinition[],
  context: CommandContext,
): Promise<{ readonly masterId: MerchantId; readonly masterKey: string }> => {
  const { id: merchantId } = await container.get(modules).merchants.createMerchant(
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
  await container.get(modules).merchants.putFeeDefinitions({ merchantId, definitions }, context);
  await container
    .get(modules)
    .merchants.putSetting({ merchantId, name: ENABLE_CONNECT, content: true }, context);
  const key = await container.get(modules).merchants.createApiKey({ merchantId, livemode: false }, context);
  const submerchant = await container.get(modules).submerchants.createSubmerchant(
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
  await container
    .get(modules)
    .submerchants.moveStatus({ id: submerchant.id, status: 'active', reason: null }, context);
  return { masterId: merchantId, masterKey: key.secretKey };
};
