import type { AwaitConsistency } from '../../../platform/read-store/consistency.ts';
import type { ReadStore } from '../../../platform/read-store/elastic.ts';
import { defineList, type ListQuery, type Page } from '../../../platform/read-store/list.ts';
import type { View } from '../../../platform/read-store/view.ts';
import type { GetMerchant } from './get-merchant.ts';
import {
  GATEWAY_OWNER,
  presentSetting,
  SETTINGS_VIEW,
  type SettingAnswer,
  type SettingDocument,
} from './setting.view.ts';

export const settingList = defineList({
  sortable: {
    id: { field: 'id', kind: 'keyword' },
    name: { field: 'name', kind: 'keyword' },
    createdAt: { field: 'createdAt', kind: 'date' },
    updatedAt: { field: 'updatedAt', kind: 'date' },
  },
  filters: {
    name: { kind: 'keyword', field: 'name' },
    createdAt: { kind: 'date', field: 'createdAt' },
  },
});

/** The settings of one merchant, or with null the gateway-wide defaults; 404 for an unknown merchant. */
export type ListSettings = (
  merchantId: string | null,
  query: ListQuery,
  consistency: string | null,
) => Promise<Page<SettingAnswer>>;

export const listSettings = (deps: {
  readonly readStore: ReadStore;
  readonly viewReady: (view: View) => Promise<void>;
  readonly awaitConsistency: AwaitConsistency;
  readonly getMerchant: GetMerchant;
}): ListSettings => {
  return async (merchantId, query, consistency) => {
    if (merchantId !== null) await deps.getMerchant(merchantId);
    await deps.viewReady(SETTINGS_VIEW);
    await deps.awaitConsistency(SETTINGS_VIEW, consistency);
    const scope = [{ term: { owner: merchantId ?? GATEWAY_OWNER } }];
    const page = await settingList.search<SettingDocument>(deps.readStore, SETTINGS_VIEW, query, scope);
    return { ...page, data: page.data.map(presentSetting) };
  };
};
