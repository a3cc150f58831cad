import type { MerchantId } from '../../../kernel/ids.ts';
import { leased } from '../../../platform/write-store/leases.ts';
import type { GetMerchant } from '../../merchants/read/get-merchant.ts';
import type { Merchant } from '../../merchants/write/merchant.ts';
import {
  CHECKOUT_ACCENT,
  CHECKOUT_LOGO,
  CHECKOUT_NAME,
  CHECKOUT_WEBSITE,
  textOf,
} from '../../merchants/write/setting.ts';
import type { FindSettings } from '../../merchants/write/settings.store.ts';
import { accentStyle } from '../write/accent.ts';

/** A merchant as its payers see it. */
export type Shop = Pick<Merchant, 'legalName' | 'companyTaxId' | 'timeZone'> & {
  /** The name that payers know it by. */
  readonly name: string;
  /** A data URL. */
  readonly logo: string | null;
  /** The address of the shop; null where the merchant has named none. */
  readonly website: string | null;
  /** The style of its pages that follows from its colour; empty without one. */
  readonly accentStyle: string;
};

export type FindShop = (merchantId: MerchantId) => Promise<Shop>;

export const createFindShop = (deps: {
  readonly getMerchant: GetMerchant;
  readonly findSettings: FindSettings;
}): FindShop =>
  leased(async (merchantId) => {
    const [{ legalName, companyTaxId, timeZone }, settings] = await Promise.all([
      deps.getMerchant(merchantId),
      deps.findSettings(merchantId, [CHECKOUT_NAME, CHECKOUT_LOGO, CHECKOUT_ACCENT, CHECKOUT_WEBSITE]),
    ]);
    const text = (name: string): string | null => textOf(settings.get(name) ?? null);
    const accent = text(CHECKOUT_ACCENT);
    return {
      legalName,
      companyTaxId,
      timeZone,
      name: text(CHECKOUT_NAME) ?? legalName,
      logo: text(CHECKOUT_LOGO),
      website: text(CHECKOUT_WEBSITE),
      accentStyle: accent === null ? '' : accentStyle(accent),
    };
  });
