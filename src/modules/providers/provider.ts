import type { IncomingHttpHeaders } from 'node:http';
import type { Timestamp } from '../../kernel/clock.ts';
import type { MerchantId } from '../../kernel/ids.ts';
import type { Minor } from '../../kernel/money.ts';
import type { DueTerms } from './pix/due-terms.ts';
import type { MandateTerms } from './pix/mandate-terms.ts';

/** Kinds of payment. */
export const PAYMENT_TYPES = ['credit_card', 'pix', 'voucher', 'banktransfer', 'qrcode'] as const;
export type PaymentType = (typeof PAYMENT_TYPES)[number];

/** Members of every card. They exist in memory only, from the request to the provider's call. */
export type CardFacts = {
  readonly number: string;
  readonly holderName: string;
  /** Two digits. */
  readonly expirationMonth: string;
  /** Four digits. */
  readonly expirationYear: string;
};

/** A card as the payer typed it. */
export type Card = CardFacts & { readonly cvv: string };

/** A card of a device wallet: the number of the device, with a cryptogram in place of the cvv. */
export type WalletCard = CardFacts & {
  /** Base64. */
  readonly cryptogram: string;
  readonly eciIndicator: string | null;
};

/** A card that the provider keeps for one payment: the gateway has the provider's own token for it, and no number. */
export type TokenizedCard = { readonly providerToken: string };

/** A payment is begun by the payer, or by the merchant while the payer is not there, as for the next month. */
export const INITIATORS = ['customer', 'merchant'] as const;
export type Initiator = (typeof INITIATORS)[number];

/** A card that the provider keeps for later payments, under the provider's own names. */
export type StoredCard = {
  readonly providerMethod: string;
  /** The provider's name of its holder; null where the provider has none. */
  readonly providerCustomer: string | null;
  /** The card network's identifier of the check by which the holder agreed; null where it is unknown. */
  readonly networkTransactionId: string | null;
  readonly initiator: Initiator;
  /** The provider's token of the security code that the payer has typed for this payment; absent without one. */
  readonly codeToken?: string;
};

/** A Pix that the payer's bank pays by itself on a day, because the payer has agreed to it before (Pix Automático). */
export type PlannedPix = {
  /** ISO date on which the payer's bank pays. */
  readonly on: string;
  /** Reference of the first charge of the same cycle, of which this one is a retry; null for the first one. */
  readonly retryOf: string | null;
};

/** A planned Pix with what the provider needs to know of its mandate. */
export type PlannedOrder = PlannedPix & {
  /** The provider's name of the mandate. */
  readonly mandate: string;
  /** ISO date on which the cycle is due; `on` is later after a weekend, and for a retry. */
  readonly dueDate: string;
  /** When it is asked for. In the test environment that may lie ahead of the clock of the machine. */
  readonly askedAt: Timestamp;
};

/** How the payer pays, with what the provider needs for it. */
export type Instrument =
  | {
      readonly type: 'credit_card';
      readonly card: Card | WalletCard | TokenizedCard | StoredCard;
      readonly installments: number;
    }
  | {
      readonly type: 'pix';
      readonly expiresAt: Timestamp;
      /** Absent for a Pix that is to be paid at once. */
      readonly due?: DueTerms;
      /** Present for a Pix under a mandate. */
      readonly planned?: PlannedOrder;
    }
  | {
      readonly type: 'voucher' | 'banktransfer' | 'qrcode';
      readonly identifyType: string;
      readonly identifyNumber: string;
      readonly bankName: string | null;
      readonly expiresAt: Timestamp;
    };

export type Money = { readonly amount: Minor; readonly currency: string };

/** A payment as the gateway knows it. */
export type PaymentOrder = Money & {
  /** The charge's id: the provider knows the payment by it, so that asking again never pays twice. */
  readonly reference: string;
  /** Whether it is a Pix with a due date, which institutions keep as another kind of charge; absent for any other. */
  readonly hasDueDate?: true;
  /** Present for a Pix under a mandate, which institutions keep as yet another kind of charge. */
  readonly planned?: PlannedPix;
};

/** The person or company that is to pay. */
export type Payer = {
  readonly name: string;
  readonly email: string;
  /** Null where the charge has no document of its customer. */
  readonly document: { readonly type: string; readonly id: string } | null;
  /** Present for a Pix with a due date only. */
  readonly address?: PayerAddress;
};

/** An address in Brazil: `state` has two letters, `postalCode` eight digits. */
export type PayerAddress = {
  readonly line: string;
  readonly city: string;
  readonly state: string;
  readonly postalCode: string;
};

export type AuthorizeRequest = PaymentOrder & {
  readonly merchantName: string;
  /** IANA zone in which a voucher's last day is one. */
  readonly merchantTimeZone: string;
  readonly payer: Payer;
  readonly instrument: Instrument;
  /** Where the payer comes back to from the provider's pages; null: the gateway's own page. */
  readonly returnUrl: string | null;
  /** The card is to be kept for later payments as well; of providers with a vault. */
  readonly keep?: Pick<StoredOrder, 'reference' | 'holder'>;
};

/** Facts that the payer needs in order to pay, by method. */
export type PaymentInstructions =
  | {
      readonly type: 'pix';
      /** Null where the provider knows it only once the payment is there. */
      readonly endToEndId: string | null;
      readonly copyPaste: string;
    }
  | {
      readonly type: 'voucher';
      readonly barcode: string;
      readonly paymentCode: string;
      readonly paymentUrl: string;
    }
  | { readonly type: 'banktransfer' | 'qrcode'; readonly payUrl: string }
  /** The payer has nothing to do: a bank pays by a mandate. Null where the provider does not know the identifier yet. */
  | { readonly type: 'pix_automatic'; readonly endToEndId: string | null }
  /** Where the payer proves to be the card's holder (3-D Secure). */
  | { readonly type: 'credit_card'; readonly authenticationUrl: string };

export const PAYMENT_STATUSES = [
  'paid',
  'pending',
  'refused',
  'failed',
  'in_analysis',
  'authentication_required',
] as const;

/** Where a payment stands at the provider. A refusal is a result and no error. */
export type PaymentState = {
  readonly status: (typeof PAYMENT_STATUSES)[number];
  readonly pspRefId: string;
  /** Why it was refused or failed, in snake_case; null otherwise. */
  readonly failureReason: string | null;
  /** When the money moved, by the provider's clock. */
  readonly paidAt: Timestamp | null;
  readonly instructions: PaymentInstructions | null;
  /** Money that the provider was given or, before, waits for; null where it has no order behind the reference. */
  readonly echo: Money | null;
};

/** The answer of a provider that cannot be asked: only its next notification tells. It decides nothing. */
export const UNKNOWN_UNTIL_NOTIFIED = { status: 'unknown_until_notified' } as const;
export type UnknownUntilNotified = typeof UNKNOWN_UNTIL_NOTIFIED;

export type TokenizeRequest = {
  /** The card token's id. A repeated request with it may make another token, and the one before is then never used. */
  readonly reference: string;
  readonly card: Card;
};

/**
 * The end of an attempt to have a provider keep a card. `not_supported`: the account may not do this. A refusal of the
 * card has its reason in snake_case.
 */
export type Tokenized =
  | { readonly status: 'tokenized'; readonly providerToken: string }
  | { readonly status: 'refused'; readonly reason: string }
  | { readonly status: 'not_supported' };

/** A card that is to be kept for later payments, as the gateway knows it. */
export type StoredOrder = {
  /** The payment method's id: however often it is asked for, the card is stored once. */
  readonly reference: string;
  readonly holder: {
    /** The customer's id. */
    readonly reference: string;
    /** The provider's name of the holder, where another card of the same one is stored already. */
    readonly providerCustomer: string | null;
  };
  /** The provider's name of the card; null until it is known. */
  readonly providerMethod: string | null;
  /** The provider's own reference of the payment that the card was kept with; null for one that was stored by itself. */
  readonly payment: string | null;
};

export type StoreRequest = StoredOrder & {
  readonly card: TokenizedCard;
  /** Where the payer comes back to from the bank; null: the gateway's own page. */
  readonly returnUrl: string | null;
};

/** Where a stored card stands at the provider. */
export type StoredState = {
  readonly status: 'active' | 'pending' | 'failed' | 'revoked';
  /** Why it failed, in snake_case; null otherwise. */
  readonly failureReason: string | null;
  /** Where the payer proves to be the card's holder (3-D Secure); null where nobody asks for that. */
  readonly authenticationUrl: string | null;
  readonly providerMethod: string | null;
  readonly providerCustomer: string | null;
  readonly networkTransactionId: string | null;
  /** The card as the network has it now, such as after a replacement; null where the provider does not tell. */
  readonly card: {
    readonly lastFour: string;
    readonly expirationMonth: string;
    readonly expirationYear: string;
  } | null;
};

type TokenizeCodeRequest = {
  /** Id of the token of the code: a repeated request with it makes the same token. */
  readonly reference: string;
  /** The security code (CVV) of a stored card, as its holder has typed it again. */
  readonly code: string;
};

/** Keeps cards at the provider for later payments. Each call may be repeated, as those of the port. */
export type CardVault = {
  /** Keeps the security code of a stored card for one payment with it. */
  tokenizeCode(request: TokenizeCodeRequest): Promise<Tokenized>;
  /** Has the card of a token checked and kept for later payments, with and without its holder. */
  store(request: StoreRequest): Promise<StoredState>;
  /** Null where the provider was never asked to store it. */
  describeStored(order: StoredOrder): Promise<StoredState | null>;
  /** Forgets a stored card for good; one that is still being checked is never stored. */
  revoke(order: StoredOrder): Promise<StoredState>;
};

/** A mandate of Pix Automático, as the gateway knows it. */
export type MandateOrder = {
  /** The payment method's id: however often it is asked for, there is one mandate. */
  readonly reference: string;
  /** The provider's name of the mandate; null until it is known. */
  readonly providerMethod: string | null;
};

export type EnrollRequest = MandateOrder & {
  readonly terms: MandateTerms;
  /** Reference of a Pix that waits, which the payer makes along with approving; null without one. */
  readonly firstCharge: string | null;
  readonly merchantName: string;
  readonly payer: Payer;
};

/** Where a mandate stands at the provider. */
export type MandateState = {
  /** `pending` waits for the payer, `failed` was never approved, `revoked` was cancelled later. */
  readonly status: 'pending' | 'active' | 'failed' | 'revoked';
  /** Why it failed or was revoked, in snake_case; null otherwise. */
  readonly failureReason: string | null;
  readonly providerMethod: string | null;
  /** The code by which the payer approves; null where there is none any more. */
  readonly copyPaste: string | null;
};

/** Keeps mandates of payers, by which planned charges are paid. Each call may be repeated, as those of the port. */
export type MandateKeeper = {
  /** Asks the payer for a mandate. */
  enroll(request: EnrollRequest): Promise<MandateState>;
  /** Null where the provider was never asked for it. */
  describeMandate(order: MandateOrder): Promise<MandateState | null>;
  /** Ends a mandate for good; one that is still to be approved can be approved no more. */
  revokeMandate(order: MandateOrder): Promise<MandateState>;
};

export type RefundRequest = Money & {
  /** The refund's id. */
  readonly reference: string;
  /** Reference of the payment that is given back. */
  readonly paymentReference: string;
  /** The provider's own reference of that payment, which tells two payments of one charge apart; null where unknown. */
  readonly paymentPspRefId: string | null;
  /** Since when it may have been asked for. */
  readonly openedAt: Timestamp;
};

/** How a request is made. */
export type Asking = {
  /**
   * Whether it certainly never reached the provider before. Only then is a refusal its word on this very request:
   * otherwise it may refuse the repetition of one that it carries out, and not show that yet.
   */
  readonly isFirst: boolean;
};

/** Where a refund stands at the provider. */
export type RefundState = {
  readonly status: 'refunded' | 'pending' | 'refused' | 'failed';
  /** Why it was refused or failed, in snake_case; `refund_not_supported` where the provider has no refund API. */
  readonly reason: string | null;
  readonly pspRefundRefId: string | null;
};

/** Evidence against a chargeback, in the gateway's words. */
export type EvidenceRequest = {
  /** The dispute's id. */
  readonly reference: string;
  readonly paymentReference: string;
  /** The provider's own reference of the payment; null where unknown. */
  readonly paymentPspRefId: string | null;
  readonly files: readonly {
    /** A kind of evidence, as `receipt`; there is one file of each. */
    readonly type: string;
    readonly fileName: string;
    readonly contentType: string;
    /** Read when it is sent, so that one file at a time is in memory. */
    readonly content: () => Promise<Buffer>;
  }[];
};

/** `refused`: the provider has decided against it, for a reason in snake_case. */
export type EvidenceState =
  | { readonly status: 'delivered'; readonly reason: null }
  | { readonly status: 'refused'; readonly reason: string };

/**
 * Notification of a provider. `id` is the provider's: one that is sent again has the same. `reference`
 * is the gateway's, of the payment or the refund; amounts are those that the provider moved.
 */
export type ProviderNotification = {
  readonly id: string;
  readonly livemode: boolean;
} & (
  | ({ readonly kind: 'payment'; readonly state: PaymentState } & Moved)
  /** `paymentReference` is that of the payment whose money goes back; absent where the provider does not tell it. */
  | ({ readonly kind: 'refund'; readonly state: RefundState; readonly paymentReference?: string } & Moved)
  /** `isAgain`: its money was back already, and is taken once more. */
  | ({ readonly kind: 'chargeback'; readonly pspRefId: string; readonly isAgain?: true } & Moved)
  /** The dispute behind a chargeback is won: its money is back. */
  | ({ readonly kind: 'chargeback_reversed'; readonly pspRefId: string } & Moved)
  /** The dispute behind a chargeback is lost: its money stays with the payer. */
  | ({ readonly kind: 'dispute_lost'; readonly pspRefId: string } & Moved)
  /** The holder's bank suspects fraud: no money has moved, and an operator may register an alert. */
  | ({ readonly kind: 'fraud_warning'; readonly pspRefId: string } & Moved)
  /** A stored card was replaced by its network, revoked, or checked; `reference` is the payment method's id. */
  | { readonly kind: 'stored_card'; readonly reference: string; readonly state: StoredState }
  /** A mandate was approved, rejected or cancelled; `reference` is the payment method's id. */
  | { readonly kind: 'mandate'; readonly reference: string; readonly state: MandateState }
  /** Nothing that the gateway acts upon. */
  | { readonly kind: 'other'; readonly type: string }
);

type Moved = Money & { readonly reference: string };

/**
 * News that the provider does not confirm when it is asked. Nothing is done about it now, and the provider has to send
 * it again.
 */
export type Unconfirmed = { readonly kind: 'unconfirmed'; readonly id: string };

/** A request of a provider to the gateway, as it came in. */
export type Delivery = {
  readonly headers: IncomingHttpHeaders;
  /** The part of the address that only the provider knows; null where its address has none. */
  readonly secret: string | null;
  readonly body: Buffer;
};

/** The provider did not answer in time. That is no refusal: the payment may have happened. */
export class ProviderTimeout extends Error {
  constructor(operation: string) {
    super(`the provider did not answer ${operation} in time`);
    this.name = 'ProviderTimeout';
  }
}

/** The provider asks to be left alone for a while. It decided on nothing, and is not asked again at once. */
export class ProviderBusy extends Error {
  constructor() {
    super('the provider is busy');
    this.name = 'ProviderBusy';
  }
}

/**
 * The provider refuses a request that it may have taken before, and does not show that one. Nothing is decided by it.
 */
export class NotShownYet extends Error {
  constructor(what: string) {
    super(`the provider refuses ${what}, which it may have taken before without showing it yet`);
    this.name = 'NotShownYet';
  }
}

/** The provider says something that this version does not know. Nothing is decided by it, and somebody has to look. */
export class UnknownStatus extends Error {
  constructor(provider: string, status: string, what: string) {
    super(`${provider} says ${status} of ${what}`);
    this.name = 'UnknownStatus';
  }
}

/** Kinds of card payments that a provider takes; of one without cards they mean nothing. */
type CardTerms = {
  /** Most monthly payments; null: as many as the gateway knows. */
  readonly maxInstallments: number | null;
  /** Whether a device wallet may be the source of a card. */
  readonly wallets: boolean;
};

/**
 * Port to a payment provider. Each call may be repeated with the same reference and then answers
 * the same. A call that gets no answer throws ProviderTimeout.
 */
export type PaymentProvider = {
  readonly name: string;
  /** The merchant whose own account it is: the money goes to that one. Absent for an account of the installation. */
  readonly owner?: MerchantId;
  readonly methods: readonly PaymentType[];
  readonly cards: CardTerms;
  /** Present where the provider takes Pix with a due date. */
  readonly dueDates?: true;
  /**
   * Present where nothing in a delivery is believed but names, which are asked back. Such a delivery may be read for an
   * account to which it was not sent.
   */
  readonly asksBack?: true;
  /** Keeps a card for one payment; absent where the provider only takes a card along with its payment. */
  readonly tokenize?: (request: TokenizeRequest) => Promise<Tokenized>;
  /** Absent where the provider keeps no card for later payments. */
  readonly vault?: CardVault;
  /** Absent where the provider offers no Pix Automático. */
  readonly mandates?: MandateKeeper;
  /** Without `asking` the request may have been made before. */
  authorize(request: AuthorizeRequest, asking?: Asking): Promise<PaymentState>;
  refund(request: RefundRequest, asking?: Asking): Promise<RefundState>;
  /** The payment of this order, null where the provider was never asked to take it. */
  describePayment(order: PaymentOrder): Promise<PaymentState | UnknownUntilNotified | null>;
  /** The refund that was asked for like this, null where the provider does not know it. */
  describeRefund(request: RefundRequest): Promise<RefundState | UnknownUntilNotified | null>;
  /**
   * Ends a payment that still waits for the payer; a payment that was paid meanwhile stays paid. A payment unknown to
   * the provider cannot be made any more, even while its call is in flight.
   */
  cancel(order: PaymentOrder): Promise<PaymentState>;
  /** Hands evidence to whoever decides on a dispute, for good; absent where the provider has no way for it. */
  readonly submitEvidence?: (request: EvidenceRequest) => Promise<EvidenceState>;
  /** Whether a delivery comes from this provider, and is no old one sent again by somebody else. */
  verify(delivery: Delivery): Promise<boolean>;
  /**
   * News in a verified delivery, each in the provider's words or asked back where those prove nothing; null where the
   * body is none of this provider's.
   */
  notificationsIn(delivery: Delivery): Promise<readonly (ProviderNotification | Unconfirmed)[] | null>;
  /**
   * News of all payments that came since then, whose notifications may be lost; absent where the provider has no list.
   */
  readonly newsSince?: (since: Date) => Promise<readonly ProviderNotification[]>;
};

/** The provider that a charge was made with, by the name of its account; null where it is configured no longer. */
export type ProviderNamed = (name: string) => Promise<PaymentProvider | null>;

/** The providers of one environment. */
export type Providers = {
  /**
   * Providers of such a payment, in the order in which they are to be asked; `brand` of a card as in
   * credit-card-type, null for another method.
   */
  providersFor(method: PaymentType, currency: string, brand: string | null): readonly PaymentProvider[];
};

/** A merchant with the routes of its own, as text; null without any. */
export type RoutedMerchant = {
  readonly id: string;
  readonly masterId: string | null;
  readonly routes: string | null;
};

/** The providers of a merchant's payments in one environment; null where none is configured. */
export type ProvidersOf = (livemode: boolean, merchant: RoutedMerchant) => Promise<Providers | null>;
