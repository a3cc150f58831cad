import {
  type MerchantPermission,
  type OperatorPermission,
  type Principal,
  permissionMissing,
} from '../../../kernel/principal.ts';
import { SENT_NAMES, type SentName } from './event-kinds.ts';

type Readers = { readonly merchant: MerchantPermission; readonly operator: OperatorPermission };

const OF_CHARGES: Readers = { merchant: 'charges.read', operator: 'admin.charges.read' };

/**
 * Permissions to read the resources that a family of events is about. The routes of these resources require the same.
 */
const READERS: Readonly<Record<string, Readers>> = {
  charge: OF_CHARGES,
  refund: OF_CHARGES,
  subscription: { merchant: 'subscriptions.manage', operator: 'admin.charges.read' },
  payment_method: { merchant: 'payment_methods.manage', operator: 'admin.charges.read' },
  checkout: { merchant: 'checkout.manage', operator: 'admin.charges.read' },
  payout: { merchant: 'payouts.read', operator: 'admin.payout_requests.read' },
  anticipation: { merchant: 'statement.read', operator: 'admin.charges.read' },
  adjustment: { merchant: 'statement.read', operator: 'admin.reports.read' },
  account: { merchant: 'submerchants.manage', operator: 'admin.merchants.read' },
};

/** The permission that the caller lacks to see events of this name and their deliveries; null where it lacks none. */
const missingFor = (principal: Principal, event: SentName): string | null => {
  const needed = READERS[event.slice(0, event.indexOf('.'))]?.[principal.kind];
  if (needed === undefined) throw new Error(`nobody is said to read the resource of ${event}`);
  const held: readonly string[] = principal.permissions;
  return held.includes(needed) ? null : needed;
};

/** Names of the events that the caller may see. */
export const readableEvents = (principal: Principal): readonly SentName[] =>
  SENT_NAMES.filter((name) => missingFor(principal, name) === null);

/** 403 PERMISSION_MISSING for a caller who may not read the resource that the event is about. */
export const assertMayReadEvent = (principal: Principal, event: SentName): void => {
  const missing = missingFor(principal, event);
  if (missing !== null) throw permissionMissing(missing);
};
