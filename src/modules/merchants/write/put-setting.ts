import { invalidInput, notFound } from '../../../kernel/errors.ts';
import type { Command } from '../../../kernel/event.ts';
import type { Creating } from '../../../platform/write-store/transaction.ts';
import type { OwnRoutes } from '../../providers/own-routes.ts';
import { MERCHANTS } from './merchant.ts';
import {
  LIVE_PROVIDERS,
  type NewSetting,
  putSetting as putRule,
  SETTINGS,
  type Setting,
  settingKey,
} from './setting.ts';
import type { FindSettingOfKey } from './settings.store.ts';

/** Sets or replaces a setting; `isNew` where the name had no content before. 404 for an unknown merchant. */
export type PutSetting = Command<
  Omit<NewSetting, 'id'>,
  { readonly setting: Setting; readonly isNew: boolean }
>;

export const createPutSetting =
  (
    deps: Creating & {
      readonly findSettingOfKey: FindSettingOfKey;
      readonly ownRoutes: Pick<OwnRoutes, 'fault'>;
    },
  ): PutSetting =>
  (command, context) => {
    const id = deps.newId('set');
    const { merchantId, name } = command;
    return deps.transact(context, async (tx) => {
      const merchant = merchantId && (await tx.get(MERCHANTS, merchantId));
      if (merchantId !== null && !merchant) throw notFound('Merchant');
      if (name === LIVE_PROVIDERS) {
        const fault = await deps.ownRoutes.fault(String(command.content), merchant || null);
        if (fault !== null) throw invalidInput([{ path: 'content', message: `content: ${fault}` }]);
      }
      const previous = await deps.findSettingOfKey(settingKey(merchantId, name));
      const setting = await tx.record(
        SETTINGS,
        previous,
        putRule(previous, { ...command, id }, deps.clock()),
      );
      return { setting, isNew: previous === null };
    });
  };
