import type { Timestamp } from '../../kernel/clock.ts';
import type { Minor } from '../../kernel/money.ts';

/** Kinds of payment (decisions 3). */
export const PAYMENT_TYPES = ['credit_card', 'pix', 'voucher', 'banktransfer', 'qrcode'] as const;
export type PaymentType = (typeof PAYMENT_TYPES)[number];

/** What every card has. It exists in memory only, from the request to the provider's call. */
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

/** A card as a device wallet gives it: the device's number of it, proven by a cryptogram in place of the cvv. */
export type WalletCard = CardFacts & {
  /** Base64. */
  readonly cryptogram: string;
  readonly eciIndicator: string | null;
};

/** How the payer pays, with what the provider needs for it. */
export type Instrument =
  | { readonly type: 'credit_card'; readonly card: Card | WalletCard; readonly installments: number }
  | { readonly type: 'pix'; readonly expiresAt: Timestamp }
  | {
      readonly type: 'voucher' | 'banktransfer' | 'qrcode';
      readonly identifyType: string;
      readonly identifyNumber: string;
      readonly bankName: string | null;
      readonly expiresAt: Timestamp;
    };

export type AuthorizeRequest = {
  /** The charge's id: the provider knows the payment by it, so that asking again never pays twice. */
  readonly reference: string;
  readonly amount: Minor;
  readonly currency: string;
  readonly merchantName: string;
  readonly instrument: Instrument;
};

/** Facts that the payer needs in order to pay, by method (specification 2.3). */
export type PaymentInstructions =
  | { readonly type: 'pix'; readonly endToEndId: string; readonly copyPaste: string }
  | {
      readonly type: 'voucher';
      readonly barcode: string;
      readonly paymentCode: string;
      readonly paymentUrl: string;
    }
  | { readonly type: 'banktransfer' | 'qrcode'; readonly payUrl: string };

/** Where a payment stands at the provider. A refusal is a result and no error. */
export type PaymentState = {
  readonly status: 'paid' | 'pending' | 'refused' | 'failed' | 'in_analysis' | 'authentication_required';
  readonly pspRefId: string;
  /** Why it was refused or failed, in snake_case; null otherwise. */
  readonly failureReason: string | null;
  /** When the money moved, by the provider's clock. */
  readonly paidAt: Timestamp | null;
  readonly instructions: PaymentInstructions | null;
};

export type RefundRequest = {
  /** The refund's id. */
  readonly reference: string;
  /** Reference of the payment that is given back. */
  readonly paymentReference: string;
  readonly amount: Minor;
  readonly currency: string;
};

/** Where a refund stands at the provider (specification 3.2). */
export type RefundState = {
  readonly status: 'refunded' | 'pending' | 'refused' | 'failed';
  /** Why it was refused or failed, in snake_case; `refund_not_supported` where the provider has no refund API. */
  readonly reason: string | null;
  readonly pspRefundRefId: string | null;
};

/**
 * What a provider says of its own accord. `id` is the provider's: one that is sent again has the same. `reference`
 * is the gateway's, of the payment or the refund; amounts are those that the provider moved.
 */
export type ProviderNotification = {
  readonly id: string;
  readonly livemode: boolean;
} & (
  | ({ readonly kind: 'payment'; readonly state: PaymentState } & Moved)
  | ({ readonly kind: 'refund'; readonly state: RefundState } & Moved)
  | ({ readonly kind: 'chargeback'; readonly pspRefId: string } & Moved)
  /** Nothing that the gateway acts upon. */
  | { readonly kind: 'other'; readonly type: string }
);

type Moved = { readonly reference: string; readonly amount: Minor; readonly currency: string };

/** The provider did not answer in time. That is no refusal: the payment may have happened. */
export class ProviderTimeout extends Error {
  constructor(operation: string) {
    super(`the provider did not answer ${operation} in time`);
    this.name = 'ProviderTimeout';
  }
}

/**
 * What the gateway needs of a payment provider. Each call may be repeated with the same reference and then answers
 * the same. A call that gets no answer throws ProviderTimeout.
 */
export type PaymentProvider = {
  readonly name: string;
  readonly methods: readonly PaymentType[];
  authorize(request: AuthorizeRequest): Promise<PaymentState>;
  refund(request: RefundRequest): Promise<RefundState>;
  /** The payment with this reference, null where the provider never heard of it. */
  describePayment(reference: string): Promise<PaymentState | null>;
  /** The refund with this reference, null where the provider never heard of it. */
  describeRefund(reference: string): Promise<RefundState | null>;
  /** Ends a payment that still waits for the payer; a payment that was paid meanwhile stays paid. */
  cancel(reference: string): Promise<PaymentState>;
  /** What a notification says whose signature was checked; null where it is none of this provider's. */
  parseNotification(body: Buffer): ProviderNotification | null;
};

/** The provider that a charge was made with; null where it is configured no longer. */
export type ProviderNamed = (name: string) => PaymentProvider | null;

/** The provider for an environment; null where none is configured (decisions 4). */
export type ProviderFor = (livemode: boolean) => PaymentProvider | null;
