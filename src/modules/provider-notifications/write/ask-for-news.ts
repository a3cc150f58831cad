import { systemContext } from '../../../kernel/event.ts';
import type { Logger } from '../../../platform/logger.ts';
import type { Chore } from '../../../platform/loop.ts';
import { createSparingLog } from '../../../platform/sparing-log.ts';
import type { ProviderNamed } from '../../providers/provider.ts';
import type { AccountOfNews } from './account-of-news.ts';
import type { TakeInNotification } from './receive-notification.ts';

/** How far back to ask, because a provider's list may lag and a worker may have been away. */
const REACHES_BACK_MS = 15 * 60_000;
/** How many handled payments are remembered, so that they need not be compared with the write store again. */
const MAX_KNOWN = 10_000;

/**
 * Asks the providers of open charges for their latest payments, with one question for all charges of a provider, so
 * that a lost notification costs only a minute. News that is not about the account itself is left alone, because one key
 * may receive payments of several accounts and of several installations.
 */
export const createAskForNews = (deps: {
  /** Whether no other process asks this provider now. */
  readonly claimNews: (name: string, now: Date) => Promise<boolean>;
  readonly findOpenProviders: () => Promise<readonly string[]>;
  readonly accountOfNews: AccountOfNews;
  readonly providerNamed: ProviderNamed;
  readonly takeIn: TakeInNotification;
  readonly logger: Logger;
}): Chore => {
  const known = new Set<string>();
  const complain = createSparingLog(deps.logger, 'warn');
  const remember = (key: string): void => {
    known.add(key);
    const [oldest] = known;
    if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest);
  };

  const ask = async (name: string, now: Date): Promise<void> => {
    const { newsSince } = (await deps.providerNamed(name)) ?? {};
    if (!newsSince || !(await deps.claimNews(name, now))) return;
    for (const notification of await newsSince(new Date(now.getTime() - REACHES_BACK_MS))) {
      const key = `${name} ${notification.id}`;
      if (known.has(key)) continue;
      const isOurs = (await deps.accountOfNews(notification)) === name;
      if (isOurs) await deps.takeIn({ provider: name, notification }, systemContext(`news of ${name}`));
      remember(key);
    }
  };

  return async (now) => {
    for (const name of await deps.findOpenProviders())
      await ask(name, now).catch((error: unknown) =>
        complain(error, { provider: name }, 'a provider does not tell its news'),
      );
  };
};
