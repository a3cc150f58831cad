import type { Timestamp } from '../../../kernel/clock.ts';
import { notFound } from '../../../kernel/errors.ts';
import { type CommandContext, systemContext } from '../../../kernel/event.ts';
import { mayRead, type Principal } from '../../../kernel/principal.ts';
import type { CheckUrl } from '../../../platform/outbound/check-url.ts';
import type { Changing, Creating, Transaction } from '../../../platform/write-store/transaction.ts';
import {
  changeEndpoint,
  deleteEndpoint,
  disableFailing,
  disableGone,
  type EndpointOwner,
  type EndpointSettings,
  openEndpoint,
  WEBHOOK_ENDPOINTS,
  type WebhookEndpoint,
} from './endpoint.ts';
import type { EndpointsStore } from './endpoints.store.ts';
import { ownerOnly } from './refusals.ts';

export type ManageEndpoints = {
  create(settings: EndpointSettings, owner: EndpointOwner, context: CommandContext): Promise<WebhookEndpoint>;
  update(
    command: {
      readonly id: string;
      readonly changes: Partial<EndpointSettings>;
      readonly principal: Principal;
    },
    context: CommandContext,
  ): Promise<WebhookEndpoint>;
  remove(
    command: { readonly id: string; readonly principal: Principal },
    context: CommandContext,
  ): Promise<void>;
};

/**
 * The endpoint, which the caller may change, as this transaction sees it. 404 for an endpoint of somebody else, 403 for
 * one of a sub-merchant.
 */
export const ownEndpoint = async (
  tx: Transaction,
  principal: Principal,
  id: string,
): Promise<WebhookEndpoint> => {
  const endpoint = await tx.get(WEBHOOK_ENDPOINTS, id);
  if (!endpoint || endpoint.deletedAt !== null || !mayRead(principal, endpoint))
    throw notFound('Webhook endpoint');
  if (principal.kind === 'merchant' && endpoint.merchantId !== principal.merchantId) throw ownerOnly();
  return endpoint;
};

export const createManageEndpoints = (
  deps: Creating & {
    readonly store: Pick<EndpointsStore, 'takenSlots'>;
    readonly checkUrl: CheckUrl;
    readonly random: () => number;
  },
): ManageEndpoints => {
  const { transact, clock, checkUrl } = deps;
  return {
    async create(settings, owner, context) {
      checkUrl('url', settings.url);
      const id = deps.newId('whe');
      return transact(context, async (tx) => {
        const takenSlots = await deps.store.takenSlots(owner);
        const given = { id, takenSlots, random: deps.random() };
        return tx.record(WEBHOOK_ENDPOINTS, null, openEndpoint(settings, owner, given, clock()));
      });
    },
    async update({ id, changes, principal }, context) {
      checkUrl('url', changes.url);
      return transact(context, async (tx) => {
        const endpoint = await ownEndpoint(tx, principal, id);
        return tx.record(WEBHOOK_ENDPOINTS, endpoint, changeEndpoint(endpoint, changes, clock()));
      });
    },
    async remove({ id, principal }, context) {
      await transact(context, async (tx) => {
        const endpoint = await ownEndpoint(tx, principal, id);
        await tx.record(WEBHOOK_ENDPOINTS, endpoint, deleteEndpoint(endpoint, clock()));
      });
    },
  };
};

/** Why an endpoint is disabled: all deliveries have failed since a time, or the receiver at the URL is gone. */
export type DisableReason = { readonly failingSince: Timestamp } | { readonly goneFrom: string };

/** Disables an endpoint where the reason still holds. */
export const createDisableEndpoint =
  (deps: Changing) =>
  async (id: string, reason: DisableReason): Promise<void> => {
    await deps.transact(systemContext('webhooks'), async (tx) => {
      const endpoint = await tx.get(WEBHOOK_ENDPOINTS, id);
      const decision =
        endpoint &&
        ('goneFrom' in reason
          ? disableGone(endpoint, reason.goneFrom, deps.clock())
          : disableFailing(endpoint, reason.failingSince, deps.clock()));
      if (endpoint && decision) await tx.record(WEBHOOK_ENDPOINTS, endpoint, decision);
    });
  };
