import { systemContext } from '../../../kernel/event.ts';
import type { Logger } from '../../../platform/logger.ts';
import type { Chore } from '../../../platform/loop.ts';
import { createSparingLog } from '../../../platform/sparing-log.ts';
import type { Charge } from '../../charges/write/charge.ts';
import type { ProviderNamed } from '../../providers/provider.ts';
import type { TakeInNotification } from './receive-notification.ts';

/** The question reaches so far back: a list may lag, and a worker may have been away. */
const REACHES_BACK_MS = 15 * 60_000;
/** News that was taken in and need not be compared with the write store again. */
const MAX_KNOWN = 10_000;

/**
 * Asks the providers of open charges for their latest payments, all of a provider at once: a notification that is lost
 * then costs a minute. News of charges that are none of this installation's is left alone, because a key may receive
 * payments of several.
 */
export const createAskForNews = (deps: {
  readonly findOpenProviders: () => Promise<readonly string[]>;
  readonly findCharge: (id: string) => Promise<Pick<Charge, 'provider'> | null>;
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

  const ask = async (name: string, since: Date): Promise<void> => {
    const provider = await deps.providerNamed(name);
    for (const notification of (await provider?.newsSince?.(since)) ?? []) {
      const key = `${name} ${notification.id}`;
      if (known.has(key)) continue;
      const isOurs =
        notification.kind !== 'payment' || (await deps.findCharge(notification.reference))?.provider === name;
      if (isOurs) await deps.takeIn({ provider: name, notification }, systemContext(`news of ${name}`));
      remember(key);
    }
  };

  return async (now) => {
    const since = new Date(now.getTime() - REACHES_BACK_MS);
    for (const name of await deps.findOpenProviders())
      await ask(name, since).catch((error: unknown) =>
        complain(error, { provider: name }, 'a provider does not tell its news'),
      );
  };
};
