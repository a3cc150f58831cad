import type { ChargeId, MerchantId } from '../../src/kernel/ids.ts';
import { CHARGES_VIEW } from '../../src/modules/charges/read/charge.view.ts';
import type { Charge } from '../../src/modules/charges/write/charge.ts';
import { aliasOf, indexResources } from '../../src/platform/read-store/view.ts';
import { withoutTenant } from '../../src/platform/write-store/stored-resource.ts';
import { aCharge } from '../builders.ts';
import type { TestGateway } from './gateway.ts';

/** An id for a merchant's charge with this number, which sorts by the number and looks like a real one. */
export const numberedId = (merchantId: string, number: number): ChargeId =>
  `chg_${merchantId.slice(-20)}${String(number).padStart(12, '0')}`;

/** Settings of a gateway whose views contain documents without resources, which drift detection would remove. */
export const VIEWS_ALONE = { VIEW_CHECK_SECONDS: '86400' };

/** Puts charges directly into the view, numbered from 0, to get volume without as many payments. */
export const indexCharges = async (
  { readStore }: TestGateway,
  merchantId: string,
  count: number,
  changes: (number: number) => Partial<Charge>,
): Promise<Charge[]> => {
  const charges = Array.from({ length: count }, (_, number) =>
    aCharge({ id: numberedId(merchantId, number), merchantId: merchantId as MerchantId, ...changes(number) }),
  );
  for (let start = 0; start < count; start += 5_000) {
    const errors = await indexResources(
      readStore,
      CHARGES_VIEW,
      charges.slice(start, start + 5_000).map(withoutTenant),
    );
    if (errors.size > 0) throw new Error(JSON.stringify([...errors].slice(0, 3)));
  }
  await readStore.client.indices.refresh({ index: aliasOf(readStore, CHARGES_VIEW) });
  return charges;
};
