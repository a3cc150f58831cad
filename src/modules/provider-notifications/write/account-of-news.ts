import type { Charge } from '../../charges/write/charge.ts';
import type { ProviderNotification } from '../../providers/provider.ts';
import type { Refund } from '../../refunds/write/refund.ts';
import type { StoredMethod } from '../../stored-methods/write/stored-method.ts';
import type { SuspenseItem } from '../../suspense/write/suspense.ts';

/** The account at a provider that a notification is about, by what it names; null where nothing here has that name. */
export type AccountOfNews = (notification: ProviderNotification) => Promise<string | null>;

type Kept = { readonly provider: string; readonly livemode: boolean };

export const createAccountOfNews = (deps: {
  readonly findCharge: (id: string) => Promise<Charge | null>;
  readonly findRefund: (id: string) => Promise<Refund | null>;
  readonly findReturn: (reference: string) => Promise<SuspenseItem | null>;
  readonly findMethod: (id: string) => Promise<StoredMethod | null>;
}): AccountOfNews => {
  /** A refund that was made at the provider itself has no name here, but its payment has. */
  const findRefunded = async (reference: string, paymentReference?: string): Promise<Kept | null> => {
    const returned = await deps.findReturn(reference);
    if (returned) return returned;
    const chargeId = (await deps.findRefund(reference))?.chargeId ?? paymentReference;
    return chargeId === undefined ? null : deps.findCharge(chargeId);
  };
  const findKept = async (notification: ProviderNotification): Promise<Kept | null> => {
    switch (notification.kind) {
      case 'other':
        return null;
      case 'mandate':
      case 'stored_card':
        return deps.findMethod(notification.reference);
      case 'refund':
        return findRefunded(notification.reference, notification.paymentReference);
      default:
        return deps.findCharge(notification.reference);
    }
  };
  return async (notification) => {
    const kept = await findKept(notification);
    return kept?.livemode === notification.livemode ? kept.provider : null;
  };
};
