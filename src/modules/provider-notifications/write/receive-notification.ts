import { existing, invalidInput, unauthorized, unavailable } from '../../../kernel/errors.ts';
import type { Command } from '../../../kernel/event.ts';
import { holdsCardNumber } from '../../../platform/http/card-numbers.ts';
import type { Logger } from '../../../platform/logger.ts';
import type { Changing } from '../../../platform/write-store/transaction.ts';
import type {
  Delivery,
  PaymentProvider,
  ProviderNamed,
  ProviderNotification,
  Unconfirmed,
} from '../../providers/provider.ts';
import type { AccountOfNews } from './account-of-news.ts';
import type { ActOn } from './act-on.ts';
import { finish, idOf, type Outcome, receive } from './notification.ts';
import { PROVIDER_NOTIFICATIONS } from './notifications.store.ts';

/**
 * Takes in one verified notification. Repeating a processed one has no effect; one whose processing failed is processed
 * again.
 */
export type TakeInNotification = Command<
  { readonly provider: string; readonly notification: ProviderNotification },
  void
>;

export const createTakeInNotification =
  (deps: Changing & { readonly actOn: ActOn; readonly logger: Logger }): TakeInNotification =>
  async ({ provider, notification: told }, context) => {
    const notification = withoutCardNumber(told);
    const id = idOf(provider, notification.id);
    const log = (outcome: Outcome | 'repeated'): void =>
      deps.logger.info(
        { provider, notificationId: notification.id, kind: notification.kind, outcome },
        'notification',
      );
    const isNews = await deps.transact(context, async (tx) => {
      const known = await tx.get(PROVIDER_NOTIFICATIONS, id);
      if (known && known.processedAt !== null) return false;
      await tx.record(PROVIDER_NOTIFICATIONS, known, receive(provider, notification, known, deps.clock()));
      return true;
    });
    if (!isNews) return log('repeated');
    // Where the same notification comes twice at once, both may get here, and acting twice does no harm.
    const outcome = await deps.actOn(provider, notification, context);
    await deps.transact(context, async (tx) => {
      const received = await tx.get(PROVIDER_NOTIFICATIONS, id);
      if (!received) throw new Error(`notification ${id} is gone`);
      if (received.processedAt === null)
        await tx.record(PROVIDER_NOTIFICATIONS, received, finish(received, outcome, deps.clock()));
    });
    log(outcome);
  };

/**
 * Takes in a provider's delivery with all of its notifications, and acknowledges it only after all were processed. 404
 * for an unknown provider, 401 for a delivery that is not from the provider, 400 for one without a notification, 503
 * where the provider does not confirm the news yet.
 */
export type ReceiveDelivery = Command<{ readonly provider: string; readonly delivery: Delivery }, void>;

export const createReceiveDelivery = (deps: ReceiveDeps): ReceiveDelivery => {
  const newsOfAll = createNewsOfAll(deps);
  return async ({ provider: name, delivery }, context) => {
    const provider = existing(await deps.providerNamed(name), 'Provider');
    if (!(await provider.verify(delivery))) throw unauthorized('CREDENTIALS_INVALID');
    const told = await newsOfAll(provider, delivery).catch((error: unknown) => {
      throw unconfirmed(error);
    });
    if (!told) throw invalidInput([{ path: '', message: `The body is no notification of ${name}` }]);
    const failures: unknown[] = [];
    // A notification that fails does not hold up the others of its delivery.
    for (const { account, news } of told) {
      if (news.kind === 'unconfirmed') failures.push(unconfirmed(news.id));
      else
        await deps
          .takeIn({ provider: account, notification: news }, context)
          .catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  };
};

type ReceiveDeps = {
  readonly providerNamed: ProviderNamed;
  readonly accountOfNews: AccountOfNews;
  readonly takeIn: TakeInNotification;
};

type Told = { readonly account: string; readonly news: ProviderNotification | Unconfirmed };

/**
 * The news in a delivery, each with the account whose it is. A receiver may have several accounts at an institution that
 * has one address for it, so that news arrives at one account and is about another. That account is asked then, with its
 * own credentials: one account is never believed about another.
 */
const createNewsOfAll =
  ({ providerNamed, accountOfNews }: ReceiveDeps) =>
  async (provider: PaymentProvider, delivery: Delivery): Promise<readonly Told[] | null> => {
    const read = await provider.notificationsIn(delivery);
    if (!read) return null;
    if (!provider.asksBack) return read.map((news) => ({ account: provider.name, news }));
    const told: Told[] = [];
    const others = new Map<string, PaymentProvider>();
    for (const news of read) {
      const account = news.kind === 'unconfirmed' ? null : await accountOfNews(news);
      const other = account === null || account === provider.name ? null : await providerNamed(account);
      if (other?.asksBack) others.set(other.name, other);
      else told.push({ account: provider.name, news });
    }
    for (const other of others.values())
      for (const news of (await other.notificationsIn(delivery)) ?? [])
        if (news.kind === 'unconfirmed' || (await accountOfNews(news)) === other.name)
          told.push({ account: other.name, news });
    return told;
  };

const unconfirmed = (cause: unknown): Error =>
  unavailable('The provider does not confirm this yet, so it has to be sent again', cause);

/** The notification with its reason in the provider's words, but never with a card number in it. */
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
