import { existing, notFound } from '../../../kernel/errors.ts';
import type { Command } from '../../../kernel/event.ts';
import type { Changing } from '../../../platform/write-store/transaction.ts';
import type { ProviderNotification } from '../../providers/provider.ts';
import type { ActOn } from './act-on.ts';
import { processedAgain, type ReceivedNotification } from './notification.ts';
import { PROVIDER_NOTIFICATIONS } from './notifications.store.ts';
import { notificationNotKept } from './refusals.ts';

/** Acts on a notification once more; an effect that it already had does not happen twice. */
export type ProcessAgain = Command<{ readonly id: string; readonly livemode: boolean }, ReceivedNotification>;

export const createProcessAgain =
  (
    deps: Changing & {
      readonly actOn: ActOn;
      readonly findNotification: (id: string) => Promise<ReceivedNotification | null>;
    },
  ): ProcessAgain =>
  async ({ id, livemode }, context) => {
    const seen = await deps.findNotification(id);
    if (seen?.livemode !== livemode) throw notFound('Provider notification');
    // Earlier releases stored notifications without their content.
    if (!seen.told) throw notificationNotKept();
    const outcome = await deps.actOn(seen.provider, JSON.parse(seen.told) as ProviderNotification, context);
    return deps.transact(context, async (tx) => {
      const before = existing(await tx.get(PROVIDER_NOTIFICATIONS, id), 'Provider notification');
      return tx.record(PROVIDER_NOTIFICATIONS, before, processedAgain(before, outcome, deps.clock()));
    });
  };
