import { GatewayError } from '../../../kernel/errors.ts';
import type { Command } from '../../../kernel/event.ts';
import { isOn, PORTAL_CANCEL } from '../../merchants/write/setting.ts';
import type { FindSetting } from '../../merchants/write/settings.store.ts';
import type { CancelSubscription, UndoCancel } from '../../subscriptions/write/manage-subscription.ts';
import { contextOf, type OpenPage } from './find-portal.ts';

/**
 * Cancels a subscription for the end of the paid period, or takes that back, if the merchant lets payers do so. Answers
 * whether it was done.
 */
export type EndSubscription = Command<
  { readonly page: OpenPage; readonly action: 'cancel' | 'keep' },
  boolean
>;

export const createEndSubscription =
  (deps: {
    readonly findSetting: FindSetting;
    readonly cancelSubscription: CancelSubscription;
    readonly undoCancel: UndoCancel;
  }): EndSubscription =>
  async ({ page: { portal, subscription, payer }, action }, given) => {
    if (!isOn(await deps.findSetting(portal.merchantId, PORTAL_CANCEL))) return false;
    const context = contextOf(portal, given);
    const asked = { principal: payer, id: subscription.id };
    try {
      if (action === 'keep') await deps.undoCancel(asked, context);
      else await deps.cancelSubscription({ ...asked, when: 'period_end', reason: null }, context);
      return true;
    } catch (error) {
      // It ended or changed meanwhile, which the page shows.
      if (error instanceof GatewayError && error.statusCode === 422) return false;
      throw error;
    }
  };
