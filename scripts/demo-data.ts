import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Container } from 'inversify';
import { type CommandContext, systemContext } from '../src/kernel/event.ts';
import { type MerchantId, newId } from '../src/kernel/ids.ts';
import { PEOPLE_PERMISSIONS } from '../src/kernel/principal.ts';
import { tenantOf } from '../src/kernel/tenant.ts';
import { modules } from '../src/main/modules.ts';
import { CHARGES } from '../src/modules/charges/write/charge.store.ts';
import type { ChargeRequest } from '../src/modules/charges/write/charge-request.ts';
import type { FeeDefinition } from '../src/modules/merchants/write/fees.ts';
import { MERCHANTS } from '../src/modules/merchants/write/merchant.ts';
import * as platform from '../src/platform/platform.module.ts';
import { ofTenant } from '../src/platform/write-store/spread.ts';
import { createDemoMarketplace } from './demo-marketplace.ts';
import { randomChargeRequest } from './random-charge.ts';

/** The demo merchant's keys, a paid charge that can be refunded, and the test key of a marketplace's master. */
export type Demo = Omit<Keys, 'merchantId'> & { readonly paidChargeId: string };

type Keys = {
  readonly merchantId: MerchantId;
  readonly testKey: string;
  readonly liveKey: string;
  /** Absent in a store whose demo is older than the marketplace. */
  readonly masterKey?: string;
  /**
   * E-mail addresses of a user of the merchant and of a user of the master; absent in a store that is older than these
   * users.
   */
  readonly users?: { readonly merchant: string; readonly master: string };
};

/** Password of the demo users. */
export const DEMO_PASSWORD = 'portico-demo';

const DEMO_CHARGES = 40;
/** A charge whose provider refuses the refund, so that its chargeback alert leads to a manual refund. */
const DISPUTED = 39;
const CARD_WITHOUT_REFUND = '4000000000006975';

const demoRequest = (index: number): ChargeRequest => {
  const request = randomChargeRequest(index);
  if (index !== DISPUTED || !('number' in request.paymentMethod)) return request;
  return { ...request, paymentMethod: { ...request.paymentMethod, number: CARD_WITHOUT_REFUND } };
};

const FEES: readonly FeeDefinition[] = [
  {
    fee_type: 'tx_spread',
    payment_method: 'credit_card',
    currency_code: 'BRL',
    brand: null,
    definition: {
      fixed: 0.39,
      percentages: [2.99, 3.49, 3.99, 4.49, 4.99, 5.49, 5.99, 6.49, 6.99, 7.49, 7.99, 8.49],
    },
  },
  {
    fee_type: 'tx_spread',
    payment_method: 'pix',
    currency_code: 'BRL',
    brand: null,
    definition: { fixed: 0, percentages: [0.99] },
  },
  {
    fee_type: 'anticipation',
    payment_method: 'credit_card',
    currency_code: 'BRL',
    brand: null,
    definition: {
      fixed: 0,
      percentages: [1.49, 2.98, 4.47, 5.96, 7.45, 8.94, 10.43, 11.92, 13.41, 14.9, 16.39, 17.88],
    },
  },
];

/**
 * Creates demo data in an empty write store: a merchant with fees, keys and charges, and a marketplace. The gateway
 * shows keys only once, so they are stored beside the data in order to be printed again. Null where the store does not
 * contain the demo.
 */
export const prepareDemo = async (
  container: Container,
  dataDir: string,
  progress: (line: string) => void,
): Promise<Demo | null> => {
  const context = systemContext('demo');
  const file = join(dataDir, 'demo.json');
  const keys = await keysOf(container, file, context, progress);
  if (!keys) return null;
  const { merchantId } = keys;
  const { db } = container.get(platform.services);
  const refundable = await db.collection<{ _id: string }>(CHARGES.collection).findOne({
    ...{ merchantId, livemode: false, status: 'paid', refundId: null },
    ...ofTenant(db, CHARGES.collection, tenantOf({ merchantId, masterId: null })),
  });
  const paidChargeId = refundable?._id ?? (await charge(container, keys, randomChargeRequest(0), context));
  const { merchantId: _, ...shown } = keys;
  return { ...shown, paidChargeId };
};

const keysOf = async (
  container: Container,
  file: string,
  context: CommandContext,
  progress: (line: string) => void,
): Promise<Keys | null> => {
  const anyMerchant = await container.get(platform.services).db.collection(MERCHANTS.collection).findOne({});
  if (anyMerchant) return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Keys) : null;
  progress('making demo data');
  const keys = await createDemoMerchant(container, context);
  // Keys are stored before the charges are made, so that a start that is cut short still has them.
  writeFileSync(file, JSON.stringify(keys, null, 2), { mode: 0o600 });
  for (let index = 1; index <= DEMO_CHARGES; index += 1)
    await charge(container, keys, demoRequest(index), context);
  return keys;
};

const createDemoMerchant = async (container: Container, context: CommandContext): Promise<Keys> => {
  const merchant = await container.get(modules).merchants.createMerchant(
    {
      legalName: 'Padaria do Bairro Ltda',
      email: 'padaria@portico.test',
      companyTaxId: '11222333000181',
      role: 'Merchant',
      timeZone: 'America/Sao_Paulo',
    },
    context,
  );
  await container.get(modules).merchants.putFeeDefinitions(
    {
      merchantId: merchant.id,
      definitions: FEES,
    },
    context,
  );
  const test = await container
    .get(modules)
    .merchants.createApiKey({ merchantId: merchant.id, livemode: false }, context);
  const live = await container
    .get(modules)
    .merchants.createApiKey({ merchantId: merchant.id, livemode: true }, context);
  const marketplace = await createDemoMarketplace(container, FEES, context);
  const group = { id: newId('grp'), name: 'merchant-administrators', permissions: PEOPLE_PERMISSIONS };
  await container.get(modules).identity.createDemoGroup(group, context);
  const addUser = async (name: string, email: string, merchantId: MerchantId): Promise<string> => {
    const user = { name, email, password: DEMO_PASSWORD, merchantId, groups: [group.name] };
    return (await container.get(modules).identity.createDemoUser(user, context)).email;
  };
  return {
    merchantId: merchant.id,
    testKey: test.secretKey,
    liveKey: live.secretKey,
    masterKey: marketplace.masterKey,
    users: {
      merchant: await addUser('Paula Prado', 'paula@portico.test', merchant.id),
      master: await addUser('Marcos Melo', 'marcos@portico.test', marketplace.masterId),
    },
  };
};

const charge = async (
  container: Container,
  { merchantId }: Keys,
  request: ChargeRequest,
  context: CommandContext,
): Promise<string> => {
  const created = await container
    .get(modules)
    .charges.createCharge({ merchantId, livemode: false, request }, context);
  return created.charge.id;
};
