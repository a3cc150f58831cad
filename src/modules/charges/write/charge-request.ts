import { createHash } from 'node:crypto';
import { dayOf } from '../../../kernel/business-days.ts';
import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import { type InputFault, invalidInput } from '../../../kernel/errors.ts';
import type { CustomerId, MerchantId, PaymentMethodId } from '../../../kernel/ids.ts';
import { amountProblem, isCurrency, type Minor, toMinor } from '../../../kernel/money.ts';
import { documentType, idProblem, isKeptCompact, keptId } from '../../../kernel/national-id.ts';
import type { UsableCardToken, UsableCode } from '../../card-tokens/write/use-card-token.ts';
import type { PostalAddress } from '../../customers/write/customer.ts';
import { checkCard, type MaskedCard, maskedCard } from '../../providers/card.ts';
import { expiryOfDue } from '../../providers/pix/due-terms.ts';
import { endOfPixDay } from '../../providers/pix/mandate-terms.ts';
import type {
  Card,
  Initiator,
  Instrument,
  PayerAddress,
  PaymentType,
  PlannedOrder,
  StoredCard,
  TokenizedCard,
  WalletCard,
} from '../../providers/provider.ts';
import type { OpenedToken } from '../../providers/wallet/open-token.ts';
import type { ExpectedPayment } from '../../providers/wallet/payment-data.ts';
import type { WalletToken } from '../../providers/wallet/wallet-token.ts';
import type { StoredMethod } from '../../stored-methods/write/stored-method.ts';
import { walletNotConfigured } from '../../wallets/write/refusals.ts';
import {
  type CardPayment,
  type Customer,
  EXPIRES_AFTER,
  type IdentifiedMethod,
  type Item,
  type PaymentMethod,
} from './charge.ts';
import { addressOf, type DueRequest, dueFaults, duePayerFaults, dueTermsOf } from './due-request.ts';
import { identifyTypesOf } from './identify-types.ts';
import type { SplitEntry } from './split.ts';

/** The body of POST /v1/charges after its shape was validated: it has either `customer` or `customerId`. */
export type ChargeBody = Omit<ChargeRequest, 'customer' | 'customerId'> & {
  readonly customer?: ChargeRequest['customer'];
  readonly customerId?: string;
};

/** A request for a charge with the facts about its payer. */
export type ChargeRequest = {
  readonly amount: number;
  readonly currency: string;
  readonly customer: {
    readonly name: string;
    readonly email: string;
    readonly phone?: string | null;
    readonly document?: { readonly type: string; readonly id: string } | null;
    /**
     * The whole address goes to the provider of a charge with a due date. The charge itself keeps only the country.
     */
    readonly address?: PostalAddress | null;
  };
  /** The merchant's customer whose facts these are; absent if the request itself contained the facts. */
  readonly customerId?: CustomerId;
  readonly paymentMethod: PaymentMethodRequest;
  readonly items?: readonly Partial<Item>[] | null;
  readonly metadata?: object | null;
  readonly postbackUrl?: string | null;
  readonly returnUrl?: string | null;
  /** With a stored card: who begins the payment; the payer by default. */
  readonly initiator?: Initiator;
  readonly split?: readonly SplitEntry[] | null;
  readonly reference?: string | null;
};

type Without<Names extends string> = { readonly [Name in Names]?: never };

type PaymentMethodRequest = { readonly installments: number } & (
  | ({ readonly type: 'credit_card'; readonly save?: boolean } & Without<'wallet' | 'token' | 'id'> & Card)
  | ({ readonly type: 'credit_card'; readonly save?: boolean; readonly token: string } & Without<
      'wallet' | 'id'
    >)
  | ({ readonly type: 'credit_card'; readonly id: string; readonly cvvToken?: string } & Without<
      'wallet' | 'token'
    >)
  | {
      readonly type: 'credit_card';
      readonly token?: never;
      readonly id?: never;
      readonly wallet: { readonly type: 'devicepay'; readonly token: WalletToken };
    }
  | ({
      readonly type: 'pix';
      readonly expiresIn?: number;
      readonly mandate?: PlannedRequest;
    } & Partial<DueRequest>)
  | (IdentifiedMethod & { readonly expiresIn?: number })
);

/** A charge under a mandate, which the gateway makes for a subscription. No request of a merchant has it. */
type PlannedRequest = Omit<PlannedOrder, 'mandate'> & { readonly id: PaymentMethodId };

/** Request in the terms of the charge. The instrument stays in memory and is never stored. */
export type RequestedCharge = {
  readonly amount: Minor;
  readonly currency: string;
  readonly customer: Customer;
  /** The address that the provider of a charge with a due date is told; null for every other charge. */
  readonly payerAddress: PayerAddress | null;
  readonly paymentMethod: PaymentMethod;
  readonly instrument: Instrument;
  /** The device wallet's token that the card came from; null for a card that was typed in, and without a card. */
  readonly walletToken: OpenedToken | null;
  /** The card token that stands for the card; null for every other payment. */
  readonly cardToken: UsableCardToken | null;
  /** The security code that came along with a stored card; null for every other payment. */
  readonly code: UsableCode | null;
  /** The stored payment method that is charged; null for every other payment. */
  readonly storedMethod: StoredMethod | null;
  /** Whether the card is to be stored for later payments. */
  readonly saves: boolean;
  readonly brand: string | null;
  readonly installments: number;
  readonly expiresAt: Timestamp | null;
  readonly items: readonly Item[] | null;
  readonly metadata: string | null;
  readonly postbackUrl: string | null;
  readonly reference: string | null;
  readonly duplicateKey: string;
};

const MAX_METADATA_BYTES = 16_384;
/** Items and metadata together: they are stored, sent to endpoints and searched. */
const MAX_DETAILS_BYTES = 32_768;

/** Takes the card out of a device wallet's token; throws 422 WALLET_TOKEN_INVALID. */
type OpenToken = (token: WalletToken, expected: ExpectedPayment) => OpenedToken;

/** The id of a card token, null where the payer pays otherwise. */
export const cardTokenOf = ({ paymentMethod: method }: ChargeRequest): string | null =>
  (method.type === 'credit_card' && method.token) || null;

/** The id of a stored payment method, null where the payer pays otherwise. */
export const storedMethodOf = ({ paymentMethod: method }: ChargeRequest): string | null =>
  (method.type === 'credit_card' && method.id) || (method.type === 'pix' && method.mandate?.id) || null;

/** The id of a security code's token, null where the payer has typed none. */
export const codeTokenOf = ({ paymentMethod: method }: ChargeRequest): string | null =>
  (method.type === 'credit_card' && 'cvvToken' in method && method.cvvToken) || null;

/** The token of a device wallet, null where the payer pays otherwise. */
export const walletTokenOf = ({ paymentMethod: method }: ChargeRequest): WalletToken | null =>
  (method.type === 'credit_card' && method.wallet?.token) || null;

/** Ways to a card that the request does not hold itself. */
export type CardSources = {
  readonly openToken?: OpenToken | null;
  readonly cardToken?: UsableCardToken | null;
  readonly storedMethod?: StoredMethod | null;
  readonly code?: UsableCode | null;
};

/**
 * Checks the rules of a charge request that a schema cannot express; 400 with every fault. 422 WALLET_NOT_CONFIGURED
 * for a wallet's token if the merchant has no certificate to open it.
 */
export const readChargeRequest = (
  request: ChargeRequest,
  merchant: { readonly id: MerchantId; readonly livemode: boolean },
  now: Date,
  { openToken = null, cardToken = null, storedMethod = null, code = null }: CardSources = {},
): RequestedCharge => {
  const { paymentMethod: method, currency } = request;
  const token = walletTokenOf(request);
  const amount = isCurrency(currency) ? toMinor(request.amount, currency) : null;
  const metadata = request.metadata ? JSON.stringify(request.metadata) : null;
  const faults: InputFault[] = [
    ...amountFaults(amount, currency),
    ...storedFaults(request, storedMethod),
    ...(isSaved(method) && request.customerId === undefined
      ? [{ path: 'customerId', message: 'customerId is required where the card is saved' }]
      : []),
    ...(method.type === 'credit_card' && 'number' in method ? checkCard(method, now) : []),
    ...(method.type === 'pix' && currency !== 'BRL'
      ? [{ path: 'currency', message: 'currency must be BRL for Pix' }]
      : []),
    ...documentFaults(request),
    ...addressFaults(request),
    ...(amount === null || amount <= 0 ? [] : faultsOfDue(request, amount, now)),
    ...detailFaults(metadata, request.items ?? null),
  ];
  if (amount === null || faults.length > 0) throw invalidInput(faults);

  const walletToken = token && openWith(openToken, token, request, amount);
  const card = storedMethod?.card
    ? storedCardOf(storedMethod, storedMethod.card, request, code)
    : cardOf(method, walletToken, cardToken);
  const customer = customerOf(request, merchant);
  const paymentMethod = paymentMethodOf(method, card);
  const expiresAt = expiryOf(method, now);
  return {
    amount,
    currency,
    customer,
    payerAddress: dueOf(method) ? addressOf(request.customer) : null,
    paymentMethod,
    instrument: instrumentOf(method, card, expiresAt ?? '', storedMethod),
    walletToken,
    cardToken,
    code,
    storedMethod,
    saves: isSaved(method),
    brand: paymentMethod.type === 'credit_card' ? paymentMethod.brand : null,
    installments: method.installments,
    expiresAt,
    items: request.items?.map(itemOf) ?? null,
    metadata,
    postbackUrl: request.postbackUrl ?? null,
    reference: request.reference ?? null,
    duplicateKey: duplicateKeyOf(merchant, amount, currency, customer, paymentMethod),
  };
};

/** A card as the provider gets it, with the part of it that may be kept; null without one. */
type RequestedCard = {
  readonly sent: Card | WalletCard | TokenizedCard | StoredCard;
  readonly masked: MaskedCard & Pick<CardPayment, 'id' | 'initiator'>;
} | null;

const isSaved = (method: PaymentMethodRequest): boolean =>
  method.type === 'credit_card' && 'save' in method && method.save === true;

/** A stored card belongs to one customer. Only a payment with a stored card may begin without the payer. */
const storedFaults = (
  { customerId, initiator, paymentMethod }: ChargeRequest,
  method: StoredMethod | null,
): readonly InputFault[] => {
  if (method === null)
    return initiator === undefined
      ? []
      : [{ path: 'initiator', message: 'initiator is for stored payment methods only' }];
  return [
    ...(customerId === method.customerId
      ? []
      : [{ path: 'customerId', message: 'customerId must be the customer of the payment method' }]),
    ...('cvvToken' in paymentMethod && initiator === 'merchant'
      ? [{ path: 'paymentMethod.cvvToken', message: 'paymentMethod.cvvToken needs a payer who is there' }]
      : []),
  ];
};

const storedCardOf = (
  { id, providerMethod, providerCustomer, networkTransactionId }: StoredMethod,
  card: NonNullable<StoredMethod['card']>,
  { customer, initiator = 'customer' }: ChargeRequest,
  code: UsableCode | null,
): RequestedCard => {
  if (providerMethod === null) throw new Error(`the provider has no name for ${id}`);
  return {
    sent: {
      ...{ providerMethod, providerCustomer, networkTransactionId, initiator },
      ...(code && { codeToken: code.providerToken }),
    },
    masked: { ...card, holderName: card.holderName ?? customer.name, id, initiator },
  };
};

const cardOf = (
  method: PaymentMethodRequest,
  walletToken: OpenedToken | null,
  cardToken: UsableCardToken | null,
): RequestedCard => {
  if (cardToken) return { sent: { providerToken: cardToken.providerToken }, masked: cardToken.card };
  if (walletToken) return { sent: walletToken.card, masked: maskedCard(walletToken.card) };
  if (method.type !== 'credit_card' || !('number' in method)) return null;
  // The card comes with the rest of the request's method.
  const { number, cvv, holderName, expirationMonth, expirationYear } = method;
  const sent = { number, cvv, holderName, expirationMonth, expirationYear };
  return { sent, masked: maskedCard(sent) };
};

const openWith = (
  openToken: OpenToken | null,
  token: WalletToken,
  request: ChargeRequest,
  amount: Minor,
): OpenedToken => {
  if (!openToken) throw walletNotConfigured();
  const { currency, customer } = request;
  return openToken(token, { amount, currency, payerName: customer.name });
};

const amountFaults = (amount: Minor | null, currency: string): InputFault[] => {
  if (!isCurrency(currency))
    return [{ path: 'currency', message: 'currency must be an ISO 4217 code in upper case, such as BRL' }];
  const problem = amount !== null && amount <= 0 ? 'must be above zero' : amountProblem(amount);
  return problem === null ? [] : [{ path: 'amount', message: `amount ${problem}` }];
};

/** Items and metadata that are too long to be kept with a charge. */
export const detailFaults = (
  metadata: string | null,
  items: ChargeRequest['items'] | null,
): readonly InputFault[] => {
  const ofMetadata = metadata === null ? 0 : Buffer.byteLength(metadata);
  if (ofMetadata > MAX_METADATA_BYTES)
    return [{ path: 'metadata', message: 'metadata must be at most 16 KiB' }];
  const both = ofMetadata + (items === null ? 0 : Buffer.byteLength(JSON.stringify(items)));
  return both > MAX_DETAILS_BYTES
    ? [{ path: 'items', message: 'items and metadata together must be at most 32 KiB as JSON' }]
    : [];
};

const documentFaults = ({ customer, paymentMethod, currency }: ChargeRequest): InputFault[] => {
  const document = documentOf(customer);
  return [
    ...(document ? idFaults('customer.document.id', document.type, document.id) : []),
    ...('identifyType' in paymentMethod ? identifyFaults(paymentMethod, currency) : []),
  ];
};

/** The part of a request that gives a Pix a due date; null for every other payment. */
const dueOf = (method: PaymentMethodRequest): DueRequest | null =>
  method.type === 'pix' && method.dueDate !== undefined ? { ...method, dueDate: method.dueDate } : null;

const faultsOfDue = (
  { paymentMethod, customer, customerId }: ChargeRequest,
  amount: Minor,
  now: Date,
): readonly InputFault[] => {
  if (paymentMethod.type !== 'pix') return [];
  const due = dueOf(paymentMethod);
  if (due === null) return termsWithoutDay(paymentMethod);
  return [
    ...(paymentMethod.expiresIn === undefined ? [] : [BOTH_ENDS]),
    ...dueFaults(due, amount, now),
    ...duePayerFaults(customer, customerId === undefined ? 'customer' : 'customerId'),
  ];
};

const BOTH_ENDS: InputFault = {
  path: 'paymentMethod.expiresIn',
  message:
    'paymentMethod.expiresIn cannot stand beside dueDate, which says until when the charge can be paid',
};

const TERMS = ['daysAfterDue', 'fine', 'interest', 'discounts', 'rebate'] as const;

/** The terms of a due date are refused in a request that has no due date. */
const termsWithoutDay = (given: Partial<DueRequest>): readonly InputFault[] =>
  TERMS.filter((member) => given[member] !== undefined).map((member) => {
    const path = `paymentMethod.${member}`;
    return { path, message: `${path} needs a paymentMethod.dueDate` };
  });

/**
 * An address in the request itself is not stored. It is only passed on to the provider of a charge with a due date.
 */
const addressFaults = ({ customer, customerId, paymentMethod }: ChargeRequest): readonly InputFault[] => {
  if (!customer.address || customerId !== undefined || dueOf(paymentMethod)) return [];
  const { country: _, ...others } = customer.address;
  return Object.keys(others).map((member) => {
    const path = `customer.address.${member}`;
    return { path, message: `${path} is for charges with a due date only` };
  });
};

const identifyFaults = (
  {
    identifyType: type,
    identifyNumber: id,
  }: { readonly identifyType: string; readonly identifyNumber: string },
  currency: string,
): InputFault[] => {
  const path = 'paymentMethod.identifyNumber';
  const types = identifyTypesOf(currency);
  if (!types.includes(type))
    return [
      {
        path: 'paymentMethod.identifyType',
        message: `paymentMethod.identifyType of a charge in ${currency} must be one of ${types.join(', ')}`,
      },
    ];
  if (type !== 'dni' && id.length < 8)
    return [{ path, message: `${path} of a ${type} has at least 8 characters` }];
  if (!isKeptCompact(type) && id.length > 11)
    return [{ path, message: `${path} of a ${type} has at most 11 characters` }];
  return idFaults(path, type, id);
};

const idFaults = (path: string, type: string, id: string): InputFault[] => {
  const problem = idProblem(type, id);
  return problem === null ? [] : [{ path, message: `${path} ${problem}` }];
};

export const itemOf = (item: Partial<Item>): Item => ({
  title: item.title ?? null,
  type: item.type ?? null,
  description: item.description ?? null,
  unit_price: item.unit_price ?? null,
  quantity: item.quantity ?? null,
});

const documentOf = ({ document }: ChargeRequest['customer']): Customer['document'] => {
  if (!document) return null;
  const type = documentType(document.type);
  return { type, id: keptId(type, document.id) };
};

/**
 * A payer who is not a customer of the merchant gets the same id each time. It is derived from the document or, without
 * one, from the e-mail address.
 */
const customerOf = (
  { customer, customerId }: ChargeRequest,
  merchant: { readonly id: MerchantId; readonly livemode: boolean },
): Customer => ({
  id: customerId ?? `cus_${digest(merchant.id, merchant.livemode, payerOf(customer)).slice(0, 32)}`,
  name: customer.name,
  email: customer.email,
  phone: customer.phone ?? null,
  document: documentOf(customer),
  address: customer.address ? { country: customer.address.country } : null,
});

const payerOf = (customer: ChargeRequest['customer']): string => {
  const document = documentOf(customer);
  return document ? `${document.type}:${document.id}` : customer.email.toLowerCase();
};

const digest = (...parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');

const paymentMethodOf = (method: PaymentMethodRequest, card: RequestedCard): PaymentMethod => {
  switch (method.type) {
    case 'credit_card':
      return { type: 'credit_card', ...known(card).masked, installments: method.installments };
    case 'pix': {
      const due = dueOf(method);
      if (method.mandate) {
        const { id, on, dueDate, retryOf } = method.mandate;
        return { type: 'pix', id, planned: { on, dueDate, retryOf } };
      }
      return due ? { type: 'pix', due: dueTermsOf(due) } : { type: 'pix' };
    }
    case 'banktransfer': {
      const { type, bankName, identifyType } = method;
      return { type, bankName, identifyType, identifyNumber: keptId(identifyType, method.identifyNumber) };
    }
    default: {
      const { type, identifyType } = method;
      return { type, identifyType, identifyNumber: keptId(identifyType, method.identifyNumber) };
    }
  }
};

const instrumentOf = (
  method: PaymentMethodRequest,
  card: RequestedCard,
  expiresAt: Timestamp,
  storedMethod: StoredMethod | null,
): Instrument => {
  switch (method.type) {
    case 'credit_card':
      return { type: 'credit_card', card: known(card).sent, installments: method.installments };
    case 'pix': {
      const due = dueOf(method);
      if (method.mandate) {
        const { id, ...planned } = method.mandate;
        const mandate = storedMethod?.providerMethod;
        if (!mandate) throw new Error(`the provider has no name for ${id}`);
        return { type: 'pix', expiresAt, planned: { ...planned, mandate } };
      }
      return { type: 'pix', expiresAt, ...(due && { due: dueTermsOf(due) }) };
    }
    default:
      return {
        type: method.type,
        identifyType: method.identifyType,
        identifyNumber: keptId(method.identifyType, method.identifyNumber),
        bankName: method.type === 'banktransfer' ? method.bankName : null,
        expiresAt,
      };
  }
};

/** The card of a payment by card, which was found before. */
const known = (card: RequestedCard): NonNullable<RequestedCard> => {
  if (card === null) throw new Error('a payment by card has no card');
  return card;
};

/** Days after the one on which a bank pays by a mandate, in which its news may still come. */
const DAYS_FOR_NEWS = 2;

const expiryOf = (method: PaymentMethodRequest, now: Date): Timestamp | null => {
  const due = dueOf(method);
  if (due) return expiryOfDue(dueTermsOf(due));
  if (method.type === 'pix' && method.mandate) return endOfPixDay(dayOf(method.mandate.on) + DAYS_FOR_NEWS);
  const seconds = ('expiresIn' in method && method.expiresIn) || EXPIRES_AFTER[method.type as PaymentType];
  return seconds === undefined ? null : timestamp(new Date(now.getTime() + seconds * 1_000));
};

/** Merchant, amount, currency, payer and instrument; of a card first six, last four and expiry. */
const duplicateKeyOf = (
  merchant: { readonly id: MerchantId; readonly livemode: boolean },
  amount: Minor,
  currency: string,
  customer: Customer,
  method: PaymentMethod,
): string => {
  const instrument =
    method.type === 'credit_card'
      ? [method.firstSix, method.lastFour, method.expirationMonth, method.expirationYear]
      : [
          method.type,
          ...('due' in method && method.due ? [method.due.dueDate] : []),
          ...('planned' in method && method.planned ? [method.id, method.planned.on] : []),
        ];
  return digest(merchant.id, merchant.livemode, amount, currency, customer.id, ...instrument);
};
