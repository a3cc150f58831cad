import { defineList, type ListQuery, type Page } from '../../../platform/read-store/list.ts';
import type { ReadView } from '../../../platform/read-store/read-view.ts';
import type { GetMerchant } from './get-merchant.ts';
import { GATEWAY_OWNER, presentSetting, SETTINGS_VIEW, type SettingAnswer } from './setting.view.ts';

export const settingList = defineList({
  sortable: {
    id: { field: 'id', kind: 'keyword' },
    name: { field: 'name', kind: 'keyword' },
    createdAt: { field: 'createdAt', kind: 'date' },
    updatedAt: { field: 'updatedAt', kind: 'date' },
  },
  filters: {
    name: { kind: 'keyword', field: 'name', description: 'The whole name, such as `enable_connect`.' },
    createdAt: { kind: 'date', field: 'createdAt' },
  },
});

/** The settings of one merchant, or with null the gateway-wide defaults; 404 for an unknown merchant. */
export type ListSettings = (
  merchantId: string | null,
  query: ListQuery,
  consistency: string | null,
) => Promise<Page<SettingAnswer>>;

export const listSettings =
  (deps: { readonly readView: ReadView; readonly getMerchant: GetMerchant }): ListSettings =>
  async (merchantId, query, consistency) => {
    if (merchantId !== null) await deps.getMerchant(merchantId);
    return deps.readView.page(
      { list: settingList, view: SETTINGS_VIEW, present: presentSetting },
      [{ term: { owner: merchantId ?? GATEWAY_OWNER } }],
      query,
      consistency,
    );
  };
