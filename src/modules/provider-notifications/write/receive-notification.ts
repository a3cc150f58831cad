import type { Clock } from '../../../kernel/clock.ts';
import { invalidInput, notFound } from '../../../kernel/errors.ts';
import type { CommandContext } from '../../../kernel/event.ts';
import { holdsCardNumber } from '../../../platform/http/card-numbers.ts';
import type { Logger } from '../../../platform/logger.ts';
import type { Transact } from '../../../platform/write-store/transact.ts';
import type { ProviderNamed, ProviderNotification } from '../../providers/provider.ts';
import type { ActOn } from './act-on.ts';
import { finish, idOf, type Outcome, receive } from './notification.ts';
import { PROVIDER_NOTIFICATIONS } from './notifications.store.ts';

/**
 * Takes in a notification whose signature was checked. One that was processed before has no effect; one whose
 * processing failed is processed again (decisions 4). It is acknowledged only once it is processed. 404 for an unknown
 * provider, 400 for what is no notification of that provider.
 */
export type ReceiveNotification = (
  command: { readonly provider: string; readonly body: Buffer },
  context: CommandContext,
) => Promise<void>;

export const createReceiveNotification =
  (deps: {
    readonly transact: Transact;
    readonly providerNamed: ProviderNamed;
    readonly actOn: ActOn;
    readonly clock: Clock;
    readonly logger: Logger;
  }): ReceiveNotification =>
  async ({ provider: name, body }, context) => {
    const provider = deps.providerNamed(name);
    if (!provider) throw notFound('Provider');
    const parsed = provider.parseNotification(body);
    if (!parsed)
      throw invalidInput([{ path: '', message: `The body is no notification of ${provider.name}` }]);
    const notification = withoutCardNumber(parsed);

    const id = idOf(provider.name, notification.id);
    const log = (outcome: Outcome | 'repeated'): void =>
      deps.logger.info(
        { provider: name, notificationId: notification.id, kind: notification.kind, outcome },
        'notification',
      );
    const isNews = await deps.transact(context, async (tx) => {
      const known = await tx.get(PROVIDER_NOTIFICATIONS, id);
      if (known && known.processedAt !== null) return false;
      await tx.record(
        PROVIDER_NOTIFICATIONS,
        known,
        receive(provider.name, notification, known, deps.clock()),
      );
      return true;
    });
    if (!isNews) return log('repeated');
    // Acting twice does no harm: two that come at once may both get here.
    const outcome = await deps.actOn(provider.name, notification, context);
    await deps.transact(context, async (tx) => {
      const received = await tx.get(PROVIDER_NOTIFICATIONS, id);
      if (!received) throw new Error(`notification ${id} is gone`);
      if (received.processedAt === null)
        await tx.record(PROVIDER_NOTIFICATIONS, received, finish(received, outcome, deps.clock()));
    });
    log(outcome);
  };

/** The reason is kept in the provider's words, but never with a card number. */
const withoutCardNumber = (notification: ProviderNotification): ProviderNotification => {
  const withheld = (reason: string | null): string | null =>
    reason !== null && holdsCardNumber(reason) ? 'withheld' : reason;
  switch (notification.kind) {
    case 'payment': {
      const { state } = notification;
      return { ...notification, state: { ...state, failureReason: withheld(state.failureReason) } };
    }
    case 'refund': {
      const { state } = notification;
      return { ...notification, state: { ...state, reason: withheld(state.reason) } };
    }
    default:
      return notification;
  }
};
