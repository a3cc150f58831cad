import type { Clock } from '../../../kernel/clock.ts';
import { DAY_MS } from '../../../kernel/durations.ts';
import type { CommandContext } from '../../../kernel/event.ts';
import type { MerchantPrincipal } from '../../../kernel/principal.ts';
import { tenantOf } from '../../../kernel/tenant.ts';
import type { EnvironmentTime } from '../../../platform/environment-time.ts';
import type { FindById } from '../../../platform/write-store/read-resource.ts';
import type { Subscription } from '../../subscriptions/write/subscription.ts';
import { opens, type Portal, takesCards } from './portal.ts';
import type { CountRefusals } from './portals.store.ts';

/** The two parts of a page's address. */
export type PortalAddress = { readonly id: string; readonly secret: string };

/** A page that an address opens, with the subscription as it is now. */
export type OpenPage = {
  readonly portal: Portal;
  readonly subscription: Subscription;
  /**
   * The payer as a caller of commands, with the access that the merchant has given. Refused cards are counted at the
   * page itself.
   */
  readonly payer: MerchantPrincipal;
  /** Whether another card may be tried here. */
  readonly takesCards: boolean;
};

/** Null for an address that is unknown or no longer works. */
export type FindPortal = (address: PortalAddress) => Promise<OpenPage | null>;

/** Refusals count as long as the longest address works. */
const COUNTED_MS = 30 * DAY_MS;

const PAYER = { kind: 'system', id: 'portal' } as const;

/** The context of the payer's actions on the page. */
export const contextOf = (portal: Portal, context: CommandContext): CommandContext => ({
  ...context,
  actor: PAYER,
  tenantId: tenantOf(portal),
});

type Deps = {
  readonly findPortalById: FindById<Portal>;
  readonly findSubscription: FindById<Subscription>;
  readonly countRefusals: CountRefusals;
  readonly clock: Clock;
  readonly time: EnvironmentTime;
};

export const createFindPortal =
  (deps: Deps): FindPortal =>
  async ({ id, secret }) => {
    const portal = await deps.findPortalById(id);
    return portal && deps.time.within(portal.livemode, () => openPage(deps, portal, secret));
  };

const openPage = async (deps: Deps, portal: Portal, secret: string): Promise<OpenPage | null> => {
  if (!opens(portal, secret, deps.clock())) return null;
  const subscription = await deps.findSubscription(portal.subscriptionId, tenantOf(portal));
  if (!subscription) return null;
  const { merchantId, masterId, livemode } = portal;
  const owner = { merchantId, masterId, livemode };
  const payer = {
    kind: 'merchant',
    actor: PAYER,
    credential: 'secret_key',
    ...owner,
    permissions: [],
  } as const;
  const since = new Date(deps.clock().getTime() - COUNTED_MS);
  const refusals = await deps.countRefusals(portal, tenantOf(portal), since);
  return { portal, subscription, payer, takesCards: takesCards(portal, refusals) };
};
