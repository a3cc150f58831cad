import type { View } from '../../../platform/read-store/view.ts';
import { contentOf, SETTINGS, type Setting } from '../write/setting.ts';

export type SettingDocument = Omit<Setting, 'version'> & {
  /** Whose it is, a word for the gateway where it is nobody's: nothing can be searched by null. */
  readonly owner: string;
};

export const GATEWAY_OWNER = 'gateway';

export const SETTINGS_VIEW: View<Setting, SettingDocument> = {
  name: 'settings',
  version: 2,
  source: SETTINGS,
  properties: {
    id: { type: 'keyword' },
    owner: { type: 'keyword' },
    name: { type: 'keyword' },
    createdAt: { type: 'date' },
    updatedAt: { type: 'date' },
  },
  toDocument: ({ version: _, ...setting }) => ({ ...setting, owner: setting.merchantId ?? GATEWAY_OWNER }),
};

/** A setting as the API answers it (decisions 8). */
export const presentSetting = (setting: Omit<Setting, 'version'>) => ({
  id: setting.id,
  merchantId: setting.merchantId,
  name: setting.name,
  content: contentOf(setting),
  createdAt: setting.createdAt,
  updatedAt: setting.updatedAt,
});
export type SettingAnswer = ReturnType<typeof presentSetting>;
