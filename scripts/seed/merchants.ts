import { Faker, pt_BR } from '@faker-js/faker';
import type { Container } from 'inversify';
import type { Clock } from '../../src/kernel/clock.ts';
import { type CommandContext, systemContext } from '../../src/kernel/event.ts';
import type { MerchantId, NewId } from '../../src/kernel/ids.ts';
import { isCnpj } from '../../src/kernel/national-id.ts';
import { MERCHANT_PERMISSIONS, type MerchantPrincipal } from '../../src/kernel/principal.ts';
import { DEFAULT_SPLITS, type DefaultSplit } from '../../src/modules/charges/write/default-split.ts';
import { createPutDefaultSplit } from '../../src/modules/charges/write/put-default-split.ts';
import { createApiKeyHandler } from '../../src/modules/merchants/write/create-api-key.ts';
import { createMerchantHandler } from '../../src/modules/merchants/write/create-merchant.ts';
import {
  FEE_DEFINITIONS,
  type FeeDefinition,
  type FeeDefinitions,
} from '../../src/modules/merchants/write/fees.ts';
import { createFindMerchants } from '../../src/modules/merchants/write/find-merchants.store.ts';
import { MERCHANTS, type Merchant, type MerchantStatus } from '../../src/modules/merchants/write/merchant.ts';
import { createPutFeeDefinitions } from '../../src/modules/merchants/write/put-fee-definitions.ts';
import { createPutSetting } from '../../src/modules/merchants/write/put-setting.ts';
import {
  CHARGEBACK_ALERT_FEE,
  ENABLE_CONNECT,
  SETTINGS,
  type Setting,
} from '../../src/modules/merchants/write/setting.ts';
import {
  createFindSetting,
  createFindSettingOfKey,
} from '../../src/modules/merchants/write/settings.store.ts';
import type { PaymentType } from '../../src/modules/providers/provider.ts';
import { createSubmerchantHandler } from '../../src/modules/submerchants/write/create-submerchant.ts';
import { createMoveStatus } from '../../src/modules/submerchants/write/move-status.ts';
import { createFindSettingsOf } from '../../src/modules/submerchants/write/submerchants.store.ts';
import * as platform from '../../src/platform/platform.module.ts';
import { readResource } from '../../src/platform/write-store/read-resource.ts';
import { withCheckDigits } from './national-id.ts';
import { FEE_CURRENCIES } from './request.ts';

/** A merchant of a run, with everything that the handlers would read about it. */
export type SeedMerchant = {
  readonly merchant: Merchant;
  readonly fees: FeeDefinitions;
  readonly settings: readonly Setting[];
  readonly defaultSplit: DefaultSplit | null;
  readonly keyId: string;
  readonly secretKey: string;
  /** The status that a sub-merchant has at the end of the run. A blocked one sells until then. */
  readonly finalStatus: MerchantStatus;
};

/** The kinds of every twelve merchants: a marketplace of a master and six sub-merchants, and five others. */
const DOZEN: readonly ('merchant' | 'master' | MerchantStatus)[] = [
  'merchant',
  'master',
  'active',
  'active',
  'merchant',
  'blocked',
  'pre_approved',
  'rejected',
  'merchant',
  'active',
  'merchant',
  'merchant',
];

export const emailOf = (seed: number, run: number, number: number): string =>
  `loja${number}.${seed}-${run}@portico.test`;

type SellerFields = Pick<Merchant, 'legalName' | 'email' | 'companyTaxId' | 'role'>;

/** A merchant's id and test key. */
type Made = { readonly id: MerchantId; readonly keyId: string; readonly secretKey: string };

type Deps = { readonly container: Container; readonly clock: Clock; readonly newId: NewId };

/** A merchant that is no sub-merchant, with fees and a test key. */
export const createSeller = async (
  { container, clock, newId }: Deps,
  fields: SellerFields,
  definitions: readonly FeeDefinition[],
): Promise<Made> => {
  const deps = {
    transact: container.get(platform.services).transact,
    keyRings: container.get(platform.services).keyRings,
    clock,
    newId,
  };
  const context = systemContext('seed');
  const { id } = await createMerchantHandler(deps)({ ...fields, timeZone: 'America/Sao_Paulo' }, context);
  await createPutFeeDefinitions(deps)({ merchantId: id, definitions }, context);
  const key = await createApiKeyHandler(deps)({ merchantId: id, livemode: false }, context);
  return { id, keyId: key.id, secretKey: key.secretKey };
};

/** Command handlers that create one merchant of a run, with random numbers and ids of its own. */
const createMaker = ({ container, clock, newId }: Deps, faker: Faker) => {
  const { db, transact, keyRings } = container.get(platform.services);
  const context = systemContext('seed');
  const setting = createPutSetting({
    transact,
    findSettingOfKey: createFindSettingOfKey(db),
    // No routes are set here.
    ownRoutes: { fault: async () => 'unknown' },
    clock,
    newId,
  });
  const createSubmerchant = createSubmerchantHandler({
    transact,
    findSetting: createFindSetting(db),
    findSettingsOf: createFindSettingsOf(db),
    keyRings,
    clock,
    newId,
  });
  const moveStatus = createMoveStatus({ transact, clock });
  const issueKey = createApiKeyHandler({ transact, keyRings, clock, newId });
  const putDefaultSplit = createPutDefaultSplit({ transact, findMerchants: createFindMerchants(db), clock });

  return {
    async sell(fields: SellerFields, isMaster: boolean): Promise<Made> {
      const definitions = feesOf(faker.number.int({ min: 0, max: 60 }) / 100);
      const made = await createSeller({ container, clock, newId }, fields, definitions);
      const merchantId = made.id;
      const content = { amount: faker.helpers.arrayElement([25, 35, 49.9]), currency: 'BRL' };
      await setting({ merchantId, name: CHARGEBACK_ALERT_FEE, content }, context);
      if (isMaster) await setting({ merchantId, name: ENABLE_CONNECT, content: true }, context);
      return made;
    },

    /** Adds a sub-merchant. Half of the active ones pass a share on to their master. */
    async join(fields: SellerFields, master: Made, status: MerchantStatus): Promise<Made> {
      const { role: _, ...own } = fields;
      const { id } = await createSubmerchant(
        {
          principal: principalOf({ id: master.id, masterId: null }, master.keyId),
          fields: { ...own, phone: null, address: { country: 'BR', city: 'São Paulo' }, postbackUrl: null },
        },
        context,
      );
      const key = await issueKey({ merchantId: id, livemode: false }, context);
      if (status === 'rejected') {
        await moveStatus({ id, status, reason: 'documentos ilegíveis' }, context);
      } else if (status !== 'pre_approved') {
        await moveStatus({ id, status: 'active', reason: null }, context);
        const split = {
          default: [{ merchantId: master.id, percentage: 10 }],
          byPaymentMethod: { pix: [{ merchantId: master.id, percentage: 4.5 }] },
        };
        if (faker.datatype.boolean()) await putDefaultSplit({ merchantId: id, split }, context);
      }
      return { id, keyId: key.id, secretKey: key.secretKey };
    },
  };
};

/** Ids of a run with the times of a clock; `of` names a series that is counted separately. */
export type SeededIds = (clock: Clock, of?: string) => NewId;

type MerchantsOptions = {
  readonly merchants: number;
  readonly seed: number;
  readonly run: number;
  readonly clock: Clock;
  readonly newIdAt: SeededIds;
};

/**
 * The merchants of a run, created at the beginning of its time. Those of a dozen are created concurrently, because
 * settings wait for leases. Each has random numbers and ids of its own, so the order does not matter.
 */
export const createMerchants = async (
  container: Container,
  options: MerchantsOptions,
): Promise<SeedMerchant[]> => {
  const made: SeedMerchant[] = [];
  while (made.length < options.merchants) {
    const left = Math.min(DOZEN.length, options.merchants - made.length);
    made.push(...(await createDozen(container, options, made.length, DOZEN.slice(0, left))));
  }
  return made;
};

const createDozen = (
  container: Container,
  { seed, run, clock, newIdAt }: MerchantsOptions,
  before: number,
  kinds: typeof DOZEN,
): Promise<SeedMerchant[]> => {
  let master: Promise<Made> | null = null;
  const merchants = kinds.map(async (kind, index): Promise<SeedMerchant> => {
    const number = before + index + 1;
    const faker = new Faker({ locale: [pt_BR] });
    faker.seed([seed, number]);
    const maker = createMaker({ container, clock, newId: newIdAt(clock, `merchant ${number}/`) }, faker);
    const fields = {
      legalName: `${faker.company.name()} Ltda`,
      email: emailOf(seed, run, number),
      companyTaxId: withCheckDigits(`${faker.string.numeric(8)}0001`, 2, isCnpj),
      role: kind === 'master' ? ('MerchantMaster' as const) : ('Merchant' as const),
    };
    if (kind === 'merchant' || kind === 'master' || master === null) {
      const selling = maker.sell(fields, kind === 'master');
      if (kind === 'master') master = selling;
      return factsOf(container, await selling, 'active');
    }
    return factsOf(container, await maker.join(fields, await master, kind), kind);
  });
  return Promise.all(merchants);
};

const factsOf = async (
  container: Container,
  { id, keyId, secretKey }: Made,
  finalStatus: MerchantStatus,
): Promise<SeedMerchant> => {
  const { db } = container.get(platform.services);
  const merchant = await readResource(db, MERCHANTS, id);
  const fees = await readResource(db, FEE_DEFINITIONS, id);
  if (!merchant || !fees) throw new Error(`merchant ${id} is gone`);
  const settings = await db
    .collection(SETTINGS.collection)
    .find<Setting>({ merchantId: id }, { projection: { _id: 0 } })
    .toArray();
  const defaultSplit = await readResource(db, DEFAULT_SPLITS, id);
  return { merchant, fees, settings, defaultSplit, keyId, secretKey, finalStatus };
};

/** The caller who uses a merchant's test key. */
export const principalOf = (
  { id, masterId }: Pick<Merchant, 'id' | 'masterId'>,
  keyId: string,
): MerchantPrincipal => ({
  kind: 'merchant',
  actor: { kind: 'key', id: keyId },
  credential: 'secret_key',
  merchantId: id,
  masterId,
  livemode: false,
  permissions: MERCHANT_PERMISSIONS,
});

/** Blocks the sub-merchants that sold until the end of the run. */
export const blockMerchants = async (
  container: Container,
  merchants: readonly SeedMerchant[],
  clock: Clock,
  context: CommandContext,
): Promise<void> => {
  const moveStatus = createMoveStatus({ transact: container.get(platform.services).transact, clock });
  for (const { merchant, finalStatus } of merchants)
    if (finalStatus === 'blocked')
      await moveStatus({ id: merchant.id, status: 'blocked', reason: 'muitas contestações' }, context);
};

/** Percentages rise with the number of installments; `extra` differs between merchants. */
export const feesOf = (extra: number): FeeDefinition[] => {
  const base: Readonly<Record<PaymentType, number>> = {
    credit_card: 2.49,
    pix: 0.69,
    voucher: 2.9,
    banktransfer: 1.4,
    qrcode: 0.9,
  };
  const percentages = (method: PaymentType): number[] =>
    Array.from({ length: method === 'credit_card' ? 12 : 1 }, (_, index) =>
      Number((base[method] + extra + index * 0.5).toFixed(2)),
    );
  return [
    ...(Object.keys(base) as PaymentType[]).flatMap((payment_method) =>
      FEE_CURRENCIES[payment_method].map((currency_code): FeeDefinition => {
        const fixed = payment_method === 'credit_card' && currency_code === 'BRL' ? 0.39 : 0;
        const definition = { fixed, percentages: percentages(payment_method) };
        return { fee_type: 'tx_spread', payment_method, currency_code, brand: null, definition };
      }),
    ),
    {
      fee_type: 'tx_spread',
      payment_method: 'credit_card',
      currency_code: 'BRL',
      brand: 'american-express',
      definition: {
        fixed: 0.39,
        percentages: percentages('credit_card').map((one) => Number((one + 0.8).toFixed(2))),
      },
    },
    { fee_type: 'payout', currency_code: 'BRL', definition: { fixed: 100, variable: 0.5 } },
  ];
};
