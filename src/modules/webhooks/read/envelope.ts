import type { DomainEvent } from '../../../kernel/event.ts';
import { toDecimal } from '../../../kernel/money.ts';
import type { Adjustment } from '../../adjustments/write/adjustment.ts';
import { presentAnticipation } from '../../anticipations/read/anticipation.view.ts';
import type { Anticipation } from '../../anticipations/write/anticipation.ts';
import { endToEndIdOf, presentStored, type WholeChargeAnswer } from '../../charges/read/charge.view.ts';
import type { Charge } from '../../charges/write/charge.ts';
import { presentSentSession } from '../../checkout/read/checkout-session.view.ts';
import type { CheckoutSession } from '../../checkout/write/checkout-session.ts';
import type { Merchant } from '../../merchants/write/merchant.ts';
import type { PayoutRequest } from '../../payouts/write/payout-request.ts';
import { presentRefund, REFUNDS_VIEW } from '../../refunds/read/refund.view.ts';
import type { Refund } from '../../refunds/write/refund.ts';
import { presentMethod } from '../../stored-methods/read/stored-method.view.ts';
import type { StoredMethod } from '../../stored-methods/write/stored-method.ts';
import { presentSubmerchant } from '../../submerchants/read/submerchant.view.ts';
import { presentSent } from '../../subscriptions/read/subscription.view.ts';
import type { Subscription } from '../../subscriptions/write/subscription.ts';
import { derivedEventId } from '../write/delivery.ts';
import { namesOf, type SentName } from '../write/event-kinds.ts';
import type { EventHead, SentEvent } from '../write/sent-event.ts';

/** The event to send for a domain event under a name; null for a merchant that is no sub-merchant. */
export const sentEventOf = (event: DomainEvent, name: SentName): SentEvent | null => {
  const head = headOf(event, name);
  return head && { ...head, body: JSON.stringify(envelopeOf(event, name, head.id)) };
};

/**
 * The name under which endpoints get a domain event, whether or not there is an endpoint; null for an event that is
 * never sent.
 */
const ownNameOf = ({ resource, type }: DomainEvent): SentName | null =>
  namesOf(resource, type).endpoints ?? null;

/** The event in the form that endpoints know, with the domain event's id, whether or not there is an endpoint. */
export const eventHeadOf = (event: DomainEvent): EventHead | null => {
  const name = ownNameOf(event);
  return name && headOf(event, name);
};

/** The event with the body that would be sent for it now. */
export const unsentEventOf = (event: DomainEvent): SentEvent | null => {
  const name = ownNameOf(event);
  return name && sentEventOf(event, name);
};

const headOf = (event: DomainEvent, name: SentName): EventHead | null => {
  const owner = ownerOf(event);
  if (!owner) return null;
  // Under another name the event needs an id of its own, because receivers drop ids that they know.
  const id = name === ownNameOf(event) ? (event.id as EventHead['id']) : derivedEventId(event.id, name);
  return {
    id,
    version: 1,
    ...owner,
    event: name,
    resourceId: event.resourceId,
    requestId: event.requestId,
    createdAt: event.at,
  };
};

type Owner = Pick<EventHead, 'livemode' | 'merchantId' | 'masterId'>;

/** Owner of an event: the merchant that the resource belongs to, or the sub-merchant that the event is about. */
export const ownerOf = ({ resource, data }: DomainEvent): Owner | null => {
  if (resource === 'merchant') {
    const { id, masterId, livemode } = data as Merchant;
    return masterId === null || livemode === null ? null : { livemode, merchantId: id, masterId };
  }
  const { livemode, merchantId, masterId } = data as Charge | Adjustment;
  // Adjustments of former versions do not have the master that decides on endpoints and shard.
  return masterId === undefined ? null : { livemode, merchantId, masterId };
};

/** The body of the POST about a resource, in the form that is usual for its kind. */
export const envelopeOf = (
  { resource, data }: Pick<DomainEvent, 'resource' | 'data'>,
  name: SentName,
  id: SentEvent['id'],
): object => {
  if (name === 'account.status_changed') return statusNotice(data as Merchant);
  if (resource === 'payout_request')
    return { id: data.id, event: name, data: payoutFacts(data as PayoutRequest) };
  const { livemode } = data as Charge | Refund | Merchant;
  return { id, event: name, livemode, data: shownAs(resource, data) };
};

/** The resource in the form in which the API shows it. */
const shownAs = (resource: string, data: DomainEvent['data']): object => {
  if (resource === 'charge') return publicCharge(data as Charge);
  if (resource === 'anticipation') return listedAnticipation(data as Anticipation);
  if (resource === 'adjustment') return adjustmentFacts(data as Adjustment);
  if (resource === 'payment_method') return methodFacts(data as StoredMethod);
  if (resource === 'subscription') return presentSent(data as Subscription);
  if (resource === 'checkout_session') return presentSentSession(data as CheckoutSession);
  if (resource === 'refund') return presentRefund(REFUNDS_VIEW.toDocument(data as Refund));
  return presentSubmerchant(data as Merchant);
};

/** The body of a charge's event with the charge's present customer, who is absent after an erasure. */
export const withCustomerOf = ({ data }: DomainEvent, body: string): string => {
  const envelope = JSON.parse(body) as { readonly data: object };
  const { customer, paymentMethod, paymentDetails } = publicCharge(data as Charge);
  return JSON.stringify({ ...envelope, data: { ...envelope.data, customer, paymentMethod, paymentDetails } });
};

/** The charge as the API shows it, but of a Pix payment without the code that the payer scans. */
const publicCharge = (charge: Charge): WholeChargeAnswer => {
  const shown = presentStored(charge);
  const { paymentMethod } = charge;
  if (paymentMethod.type !== 'pix') return shown;
  const endToEndId = endToEndIdOf(charge);
  return { ...shown, paymentDetails: { endToEndId } };
};

/** The anticipation without its parts, of which there may be more than a receiver accepts. */
const listedAnticipation = (anticipation: Anticipation): object => {
  const { charges: _, ...listed } = presentAnticipation(anticipation);
  return listed;
};

/**
 * The stored method without the holder's name, so that erasure need not look for it in sent bodies, and without the code
 * that a payer scans.
 */
const methodFacts = (method: StoredMethod): object => {
  const { holderName: _, copyPaste: __, ...facts } = presentMethod(method);
  return facts;
};

/** Public form of an adjustment: the facts of its statement line, without the operators behind it. */
const adjustmentFacts = ({
  id,
  merchantId,
  livemode,
  amount,
  currency,
  reason,
  ...rest
}: Adjustment): object => ({
  id,
  merchantId,
  livemode,
  amount: toDecimal(amount, currency),
  currency,
  reason,
  ledgerEntryId: rest.ledgerEntryId,
  createdAt: rest.processedAt,
});

/** Public form of a payout request; amounts are integers in cents, as in all payout answers. */
const payoutFacts = (payout: PayoutRequest): object => ({
  id: payout.id,
  merchantId: payout.merchantId,
  amount: payout.amount,
  currency: payout.currency,
  status: payout.status,
  payoutFee: payout.payoutFee,
  netAmount: payout.netAmount,
  processedAt: payout.processedAt,
  ...(payout.status === 'rejected' ? { rejectionReason: payout.rejectionReason } : {}),
  ...(isReported(payout) ? transferFacts(payout) : {}),
});

/** Whether the outcome of the bank transfer is known. */
const isReported = ({ transferStatus }: PayoutRequest): boolean =>
  transferStatus === 'sent' || transferStatus === 'failed';

const transferFacts = ({
  transferStatus,
  transferReference,
  transferFailureReason,
}: PayoutRequest): object => ({
  transferStatus,
  transferReference,
  transferFailureReason,
});

/** A notice of a changed status, which has no envelope. */
const statusNotice = ({ id, status, updatedAt }: Merchant): object => ({
  merchantId: id,
  status,
  date: updatedAt,
});
