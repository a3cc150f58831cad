import type { MerchantId } from './ids.ts';

/**
 * Names the documents that belong together. It is the id of the master for a master and all its sub-merchants, and the
 * merchant's own id for any other. No split, payout or webhook leaves a tenant, so a tenant's documents can all be on
 * one shard.
 */
export type TenantId = string;

/** The tenant of documents that belong to no merchant. */
export const GATEWAY_TENANT: TenantId = 'gateway';

export const tenantOf = (owner: {
  readonly merchantId: MerchantId;
  readonly masterId: MerchantId | null;
}): TenantId => owner.masterId ?? owner.merchantId;

/** Members from which a document's owner may follow. */
type Owned = { readonly id?: unknown; readonly merchantId?: unknown; readonly masterId?: unknown };

const isMerchantId = (value: unknown): value is MerchantId =>
  typeof value === 'string' && value.startsWith('mer_');

/**
 * The tenant that a document itself names: by its owner and master, as a merchant, or as a provider's notification. A
 * notification is a tenant of its own, because it arrives before anybody knows its owner.
 */
export const tenantShownBy = (document: object): TenantId | null => {
  const { id, merchantId, masterId } = document as Owned;
  if (typeof id === 'string' && id.startsWith('pno_')) return id;
  if (typeof id === 'string' && id.startsWith('sus_') && merchantId === null) return GATEWAY_TENANT;
  const owner = merchantId ?? id;
  if (!isMerchantId(owner) || masterId === undefined) return null;
  return isMerchantId(masterId) ? masterId : owner;
};

/** The merchant that owns a document; null where no merchant does, or where the document does not say. */
export const ownerShownBy = (document: object): MerchantId | null => {
  const { id, merchantId } = document as Owned;
  const owner = merchantId ?? id;
  return isMerchantId(owner) ? owner : null;
};

/** Finds the tenant of a merchant; null for one that is not stored. */
export type FindTenant = (merchantId: MerchantId) => Promise<TenantId | null>;

/**
 * Finds the tenants of the documents of one command. A document that does not name its master belongs to its merchant's
 * tenant, and one without an owner to the tenant of the documents before it.
 */
export const createTenantTeller = (findTenant: FindTenant, caller: TenantId | null) => {
  let last = caller;
  return {
    /** The tenant of the command as far as its documents have shown; null where none has. */
    current: (): TenantId | null => last,
    see(document: object): void {
      last = tenantShownBy(document) ?? last;
    },
    /**
     * The tenant of a document. A document that names no owner stays in its former tenant, and only the gateway's
     * documents may move to another one.
     */
    async tell(document: object, former: TenantId | null = null): Promise<TenantId> {
      const shown = tenantShownBy(document);
      if (shown !== null) {
        last = shown;
        return shown;
      }
      const owner = ownerShownBy(document);
      const found = owner && (await findTenant(owner));
      last = found ?? (former === GATEWAY_TENANT ? null : former) ?? last;
      return last ?? GATEWAY_TENANT;
    },
  };
};
