import { type NewId, newId } from '../src/kernel/ids.ts';
import type { MerchantPrincipal, OperatorPrincipal } from '../src/kernel/principal.ts';
import { type Charge, openCharge } from '../src/modules/charges/write/charge.ts';
import type { ChargeRequest } from '../src/modules/charges/write/charge-request.ts';
import type { CARD_BRANDS, MethodFee } from '../src/modules/merchants/write/fees.ts';
import { type Merchant, openMerchant } from '../src/modules/merchants/write/merchant.ts';
import type {
  AuthorizeRequest,
  Card,
  Instrument,
  Payer,
  PaymentOrder,
  PaymentState,
  RefundRequest,
  RefundState,
} from '../src/modules/providers/provider.ts';
import type { WalletToken } from '../src/modules/providers/wallet/wallet-token.ts';
import { openRefund, type Refund } from '../src/modules/refunds/write/refund.ts';
import {
  openMandate,
  openMethod,
  type StoredMethod,
} from '../src/modules/stored-methods/write/stored-method.ts';
import { openSuspense, type StrayMoney, type SuspenseItem } from '../src/modules/suspense/write/suspense.ts';
import { openEndpoint, type WebhookEndpoint } from '../src/modules/webhooks/write/endpoint.ts';
import type { SentEvent } from '../src/modules/webhooks/write/sent-event.ts';

/** The moment at which everything in the tests of rules happens. */
export const NOW = new Date('2026-06-15T12:00:00.000Z');
export const later = (seconds: number, from = NOW): Date => new Date(from.getTime() + seconds * 1_000);

/** Ids that a test can foresee: chg_1, chg_2, jrn_1, … */
export const countingIds = (): NewId => {
  const counts = new Map<string, number>();
  return (prefix) => {
    const count = (counts.get(prefix) ?? 0) + 1;
    counts.set(prefix, count);
    return `${prefix}_${count}`;
  };
};

export const aMerchant = (changes: Partial<Merchant> = {}): Merchant => ({
  ...openMerchant(
    {
      legalName: 'Padaria do Bairro Ltda',
      email: 'padaria@example.test',
      companyTaxId: null,
      role: 'Merchant',
      timeZone: 'UTC',
    },
    'mer_1',
    NOW,
  ).data,
  version: 1,
  ...changes,
});

/** A fee by which charges are priced. */
export const aMethodFee = (changes: Partial<MethodFee> = {}): MethodFee => ({
  fee_type: 'tx_spread',
  payment_method: 'credit_card',
  currency_code: 'BRL',
  brand: null,
  definition: { fixed: 0.39, percentages: [2.99, 3.49, 3.99] },
  ...changes,
});

/** A number of each brand that fee definitions know; the simulator takes the money of each. */
export const NUMBERS_OF_BRANDS: Readonly<Record<(typeof CARD_BRANDS)[number], string>> = {
  visa: '4242424242424242',
  mastercard: '5555555555554444',
  'american-express': '378282246310005',
  elo: '6362970000457013',
  hipercard: '6062825624254001',
  discover: '6011111111111117',
  'diners-club': '30569309025904',
  jcb: '3530111333300000',
  naranja: '5895620000000003',
  cabal: '6042010000000014',
};

export const aCard = (changes: Partial<Card> = {}): Card => ({
  number: '4242424242424242',
  holderName: 'Ana Souza',
  expirationMonth: '12',
  expirationYear: '2035',
  cvv: '123',
  ...changes,
});

const aCustomer = {
  name: 'Ana Souza',
  email: 'ana@example.test',
  document: { type: 'cpf', id: '52998224725' },
};

/** The body of POST /v1/charges for a card: 100.00 BRL at once. */
export const aCardRequest = (
  changes: Partial<ChargeRequest> = {},
  card: Partial<Card> = {},
): ChargeRequest => ({
  amount: 100,
  currency: 'BRL',
  customer: aCustomer,
  paymentMethod: { type: 'credit_card', installments: 1, ...aCard(card) },
  ...changes,
});

/** A fee of 3 % on card payments in BRL, as operators define it. */
export const aSpreadFee = (changes: Partial<FeeRequest> = {}) => ({
  fee_type: 'tx_spread',
  payment_method: 'credit_card',
  currency_code: 'BRL',
  brand: null,
  definition: { fixed: 0, percentages: [3] },
  ...changes,
});

/** A fee on payouts: cents for each one, and a percentage. */
export const aPayoutFee = (fixed = 100, variable = 0) => ({
  fee_type: 'payout',
  currency_code: 'BRL',
  definition: { fixed, variable },
});

type FeeRequest = {
  readonly fee_type: string;
  readonly payment_method: string;
  readonly currency_code: string;
  readonly brand: string | null;
  readonly definition: { readonly fixed: number; readonly percentages: readonly number[] };
};

/** A token of a device wallet that nobody signed. */
export const aWalletToken = (): WalletToken & { readonly paymentMethod: object } => ({
  paymentData: {
    version: 'EC_v1',
    data: 'AAAA',
    signature: 'AAAA',
    header: { ephemeralPublicKey: 'AAAA', publicKeyHash: 'AAAA', transactionId: 'ab12' },
  },
  paymentMethod: { displayName: 'Visa 4242', network: 'Visa', type: 'credit' },
  transactionIdentifier: 'ab12',
});

/** The payment of `aCardRequest`, by a device wallet. */
export const aWalletRequest = (
  token: WalletToken = aWalletToken(),
  changes: Partial<ChargeRequest> = {},
): ChargeRequest => ({
  ...aCardRequest(),
  paymentMethod: { type: 'credit_card', installments: 1, wallet: { type: 'devicepay', token } },
  ...changes,
});

export const aPixRequest = (changes: Partial<ChargeRequest> = {}): ChargeRequest => ({
  amount: 100,
  currency: 'BRL',
  customer: aCustomer,
  paymentMethod: { type: 'pix', installments: 1 },
  ...changes,
});

/** The body of POST /v1/charges for a Pix with a due date: 250.00 BRL, with a discount, a fine and interest. */
export const aDueRequest = (inDays: number, now = new Date()) => {
  const dateIn = (days: number): string =>
    later(days * 86_400, now)
      .toISOString()
      .slice(0, 10);
  return {
    ...aPixRequest({ amount: 250 }),
    customer: {
      ...aCustomer,
      address: {
        country: 'BR',
        line1: 'Rua das Flores 80',
        city: 'Recife',
        state: 'PE',
        postalCode: '50010-000',
      },
    },
    paymentMethod: {
      type: 'pix',
      installments: 1,
      dueDate: dateIn(inDays),
      fine: { type: 'percentage', value: 2 },
      interest: { type: 'percentage', value: 1, per: 'month' },
      discounts: { type: 'amount', until: [{ date: dateIn(inDays - 10), value: 12.5 }] },
    },
  } as const;
};

/** A charge by card of 100.00 BRL with a spread of 3.00, stored before the provider was called. */
export const aCharge = (changes: Partial<Charge> = {}): Charge => {
  const opened = openCharge(
    {
      id: 'chg_1',
      livemode: false,
      merchantId: 'mer_1',
      masterId: null,
      amount: 100_00,
      currency: 'BRL',
      spread: 3_00,
      fee: { version: 1, fixed: 0, percentage: 3 },
      customer: {
        id: 'cus_1',
        name: 'Ana Souza',
        email: 'ana@example.test',
        phone: null,
        document: null,
        address: null,
      },
      paymentMethod: {
        type: 'credit_card',
        firstSix: '424242',
        lastFour: '4242',
        expirationMonth: '12',
        expirationYear: '2035',
        holderName: 'Ana Souza',
        brand: 'visa',
        installments: 1,
      },
      provider: 'fake',
      reference: null,
      items: null,
      metadata: null,
      postbackUrl: null,
      split: null,
      duplicateKey: 'key',
      reconcileAt: later(15).toISOString(),
      expiresAt: null,
    },
    NOW,
  ).data;
  const charge = { ...opened, version: 1, ...changes };
  return { ...charge, net: charge.amount - charge.spread };
};

export const aPaidCharge = (changes: Partial<Charge> = {}): Charge =>
  aCharge({
    status: 'paid',
    version: 2,
    pspRefId: 'psp_1',
    paidAt: NOW.toISOString(),
    reconcileAt: null,
    ...changes,
  });

export const PIX_INSTRUCTIONS = { type: 'pix', endToEndId: 'E1', copyPaste: '0002' } as const;

/** A Pix charge whose QR code was made and that expires an hour after NOW. */
export const aPixCharge = (changes: Partial<Charge> = {}): Charge =>
  aCharge({
    version: 2,
    paymentMethod: { type: 'pix' },
    instructions: PIX_INSTRUCTIONS,
    pspRefId: 'psp_1',
    expiresAt: later(3_600).toISOString(),
    reconcileAt: later(3_600).toISOString(),
    ...changes,
  });

/** A payer without a document. */
export const aPayer = (changes: Partial<Payer> = {}): Payer => ({
  name: 'Ana Souza',
  email: 'ana@example.com',
  document: null,
  ...changes,
});

/** A payment of 80.05 BRL that a provider is asked to take. */
export const anAuthorizeRequest = (
  instrument: Instrument,
  changes: Partial<AuthorizeRequest> = {},
): AuthorizeRequest => ({
  reference: newId('chg'),
  amount: 80_05,
  currency: 'BRL',
  merchantName: 'Loja da Ana',
  merchantTimeZone: 'America/Sao_Paulo',
  payer: aPayer(),
  returnUrl: null,
  instrument,
  ...changes,
});

/** The request to a provider to give a whole payment back. */
export const aRefundRequest = (
  { reference, amount, currency }: PaymentOrder,
  changes: Partial<RefundRequest> = {},
): RefundRequest => ({
  reference: newId('ref'),
  paymentReference: reference,
  paymentPspRefId: null,
  openedAt: new Date().toISOString(),
  amount,
  currency,
  ...changes,
});

export const aPaymentState = (changes: Partial<PaymentState> = {}): PaymentState => ({
  status: 'paid',
  pspRefId: 'psp_1',
  failureReason: null,
  paidAt: changes.status === undefined || changes.status === 'paid' ? NOW.toISOString() : null,
  instructions: null,
  echo: null,
  ...changes,
});

export const aRefundState = (changes: Partial<RefundState> = {}): RefundState => ({
  status: 'refunded',
  reason: null,
  pspRefundRefId: 'pspr_1',
  ...changes,
});

/** A refund that the provider has not been asked for yet. */
export const aRefund = (changes: Partial<Refund> = {}): Refund => ({
  ...openRefund(
    aPaidCharge(),
    null,
    { id: 'ref_1', reason: 'the customer sent it back', reconcileAt: later(15).toISOString() },
    NOW,
  ).data,
  version: 1,
  ...changes,
});

export const aSentEvent = (changes: Partial<SentEvent> = {}): SentEvent => ({
  id: 'evt_019a8b2c3d4e7f00912345678900abcd',
  version: 1,
  livemode: false,
  merchantId: 'mer_1',
  masterId: null,
  event: 'charge.paid',
  resourceId: 'chg_1',
  body: '{}',
  createdAt: NOW.toISOString(),
  ...changes,
});

/** A card as it is stored and shown. */
export const aMaskedCard = {
  brand: 'visa',
  firstSix: '424242',
  lastFour: '4242',
  expirationMonth: '12',
  expirationYear: '2039',
  holderName: 'Ana Souza',
};

/** A card of a customer of `mer_1`, about which the provider is being asked. */
export const aStoredCard = (changes: Partial<StoredMethod> = {}): StoredMethod => ({
  ...openMethod(
    {
      ...{ id: 'pm_1', merchantId: 'mer_1', masterId: null, livemode: true, customerId: 'cus_1' },
      ...{ card: aMaskedCard, provider: 'fake', providerCustomer: null },
    },
    NOW.toISOString(),
    NOW,
    15_000,
  ).data,
  version: 1,
  ...changes,
});

/** A mandate of a customer of `mer_1` that waits for the payer, and begins in eight days. */
export const aMandate = (changes: Partial<StoredMethod> = {}): StoredMethod => ({
  ...openMandate(
    {
      ...{ id: 'pm_1', merchantId: 'mer_1', masterId: null, livemode: true, customerId: 'cus_1' },
      ...{ provider: 'fake', firstChargeId: null },
      terms: {
        ...{ journey: 'qr', interval: 'month', intervalCount: 1, amount: 49_90, minimumAmount: null },
        ...{ startDate: '2026-06-23', endDate: null, retries: 'none' },
        ...{ contract: 'contract-1001', description: 'Gym membership' },
      },
    },
    NOW,
    15_000,
  ).data,
  version: 1,
  ...changes,
});

/** A merchant that calls with its secret key. */
export const aMerchantPrincipal = (changes: Partial<MerchantPrincipal> = {}): MerchantPrincipal => ({
  kind: 'merchant',
  actor: { kind: 'key', id: 'key_1' },
  credential: 'secret_key',
  merchantId: 'mer_1',
  masterId: null,
  livemode: false,
  permissions: [],
  ...changes,
});

/** An operator that calls with its token. */
export const anOperatorPrincipal = (changes: Partial<OperatorPrincipal> = {}): OperatorPrincipal => ({
  kind: 'operator',
  actor: { kind: 'operator', id: 'usr_1' },
  credential: 'user',
  userId: 'usr_1',
  livemode: false,
  permissions: [],
  ...changes,
});

/** An endpoint of a merchant that wants every event. */
export const anEndpoint = (changes: Partial<WebhookEndpoint> = {}, openedAt = NOW): WebhookEndpoint => ({
  ...openEndpoint(
    { url: 'https://a.test/', events: ['*'], enabled: true, description: null, includeSubmerchants: false },
    { livemode: false, merchantId: 'mer_1', masterId: null },
    { id: 'whe_1', takenSlots: [], random: 0 },
    openedAt,
  ).data,
  ...changes,
});

/** Money of a second payment of chg_1, that belongs to nobody yet. */
export const strayMoney = (changes: Partial<StrayMoney> = {}): StrayMoney => ({
  livemode: false,
  provider: 'fake',
  reason: 'second_payment',
  reference: 'chg_1',
  pspRefId: 'psp_1',
  direction: 'in',
  amount: 100_00,
  currency: 'BRL',
  chargeId: 'chg_1',
  merchantId: 'mer_1',
  accountOwnerId: null,
  ...changes,
});

export const aSuspenseItem = (changes: Partial<StrayMoney> = {}): SuspenseItem =>
  openSuspense(strayMoney(changes), NOW).data;
