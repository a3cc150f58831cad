import { tenantOf } from '../../kernel/tenant.ts';
import type { FindById } from '../../platform/write-store/read-resource.ts';
import type { Charge } from '../charges/write/charge.ts';
import type { CheckoutSession, SessionCustomer } from '../checkout/write/checkout-session.ts';
import { offersOf, type SessionOffer } from '../checkout/write/offers.ts';
import type { CustomerRecord } from '../customers/write/customer.ts';
import type { GetMerchant } from '../merchants/read/get-merchant.ts';
import type { Merchant } from '../merchants/write/merchant.ts';
import type { ListPaymentMethods } from '../payment-methods/list-payment-methods.ts';
import { qrImage } from '../providers/pix/qr-image.ts';

/** Everything that the page of a session shows. */
export type PageContent = {
  readonly session: CheckoutSession;
  readonly merchant: Pick<Merchant, 'legalName' | 'companyTaxId' | 'timeZone'>;
  /** The charge that is under way or has paid; else the last one, which has ended; null before the first. */
  readonly charge: Charge | null;
  /** Pays by an image (a data URL); null for a method without one. */
  readonly image: string | null;
  /** Empty unless a charge may begin. */
  readonly offers: readonly SessionOffer[];
  /** The payer, as far as the session or its customer tells. */
  readonly known: SessionCustomer;
};

export type GetPageContent = (session: CheckoutSession) => Promise<PageContent>;

const NOBODY: SessionCustomer = { name: null, email: null, phone: null, document: null, address: null };

export const createGetPageContent =
  (deps: {
    readonly findCharge: FindById<Charge>;
    readonly findCustomer: FindById<CustomerRecord>;
    readonly getMerchant: GetMerchant;
    readonly listPaymentMethods: ListPaymentMethods;
  }): GetPageContent =>
  async (session) => {
    const tenantId = tenantOf(session);
    const { customerId, merchantId, masterId, livemode } = session;
    const chargeId = session.chargeId ?? session.chargeIds.at(-1);
    const seller = { kind: 'merchant', actor: ACTOR, credential: 'secret_key', permissions: [] } as const;
    const [merchant, charge, customer, offers] = await Promise.all([
      deps.getMerchant(merchantId),
      chargeId === undefined ? null : deps.findCharge(chargeId, tenantId),
      customerId === null ? null : deps.findCustomer(customerId, tenantId),
      session.status === 'open' ? deps.listPaymentMethods({ ...seller, merchantId, masterId, livemode }) : [],
    ]);
    return {
      session,
      merchant,
      charge,
      image: session.status === 'processing' && charge ? await imageOf(charge) : null,
      offers: offersOf(offers, session),
      known: session.customer ?? (customer ? factsOf(customer) : NOBODY),
    };
  };

const ACTOR = { kind: 'system', id: 'checkout' } as const;

const factsOf = ({ name, email, phone, document, address }: CustomerRecord): SessionCustomer => ({
  name,
  email,
  phone,
  document,
  address: address && { country: address.country },
});

const imageOf = async ({ instructions }: Charge): Promise<string | null> => {
  if (instructions?.type === 'pix') return qrImage(instructions.copyPaste);
  return instructions?.type === 'qrcode' ? qrImage(instructions.payUrl) : null;
};
