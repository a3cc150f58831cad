import {
  flag,
  from,
  hidden,
  json,
  keyword,
  stored,
  timestamps,
} from '../../../platform/read-store/fields.ts';
import { defineView } from '../../../platform/read-store/view.ts';
import { SETTINGS, type Setting } from '../write/setting.ts';

/** Stands for the owner of a gateway-wide default, because a search cannot look for null. */
export const GATEWAY_OWNER = 'gateway';

export const SETTINGS_VIEW = defineView({
  name: 'settings',
  version: 4,
  source: SETTINGS,
  fields: {
    id: keyword(),
    active: hidden(from(flag(), ({ removed }: Setting) => removed !== true)),
    owner: hidden(from(keyword(), ({ merchantId }: Setting) => merchantId ?? GATEWAY_OWNER)),
    merchantId: stored(),
    name: keyword(),
    content: json(),
    ...timestamps,
  },
});

/** A setting as the API answers it. */
export const presentSetting = (setting: Setting) => SETTINGS_VIEW.present(SETTINGS_VIEW.toDocument(setting));
