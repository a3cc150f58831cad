import type { Clock } from '../../../kernel/clock.ts';
import { notFound } from '../../../kernel/errors.ts';
import type { CommandContext } from '../../../kernel/event.ts';
import type { Transact } from '../../../platform/write-store/transact.ts';
import { MERCHANTS } from './merchant.ts';
import { type NewSetting, putSetting as putRule, SETTINGS, type Setting, settingId } from './setting.ts';

/** `isNew` where the name had no content before. 404 for an unknown merchant. */
export type PutSetting = (
  command: NewSetting,
  context: CommandContext,
) => Promise<{ readonly setting: Setting; readonly isNew: boolean }>;

export const putSetting = (deps: { readonly transact: Transact; readonly clock: Clock }): PutSetting => {
  return (command, context) =>
    deps.transact(context, async (tx) => {
      const { merchantId, name } = command;
      if (merchantId !== null && !(await tx.get(MERCHANTS, merchantId))) throw notFound('Merchant');
      const previous = await tx.get(SETTINGS, settingId(merchantId, name));
      const setting = await tx.record(SETTINGS, previous, putRule(previous, command, deps.clock()));
      return { setting, isNew: previous === null };
    });
};
