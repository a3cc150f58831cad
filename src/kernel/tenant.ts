import type { MerchantId } from './ids.ts';

/**
 * Names what belongs together. A master and all its sub-merchants have the master's id, any other merchant its own. No
 * split, payout or webhook ever leaves a tenant, so that all of it can lie on one shard.
 */
export type TenantId = string;

/** The tenant of what no merchant owns. */
export const GATEWAY_TENANT: TenantId = 'gateway';

export const tenantOf = (owner: {
  readonly merchantId: MerchantId;
  readonly masterId: MerchantId | null;
}): TenantId => owner.masterId ?? owner.merchantId;

/** Members of a document that may say whose it is. */
type Owned = { readonly id?: unknown; readonly merchantId?: unknown; readonly masterId?: unknown };

const isMerchantId = (value: unknown): value is MerchantId =>
  typeof value === 'string' && value.startsWith('mer_');

/**
 * The tenant that a document itself names: by its owner and master, as a merchant, or as a provider's notification. The
 * last is a tenant of its own, because it comes before anybody knows whose it is.
 */
export const tenantShownBy = (document: object): TenantId | null => {
  const { id, merchantId, masterId } = document as Owned;
  if (typeof id === 'string' && id.startsWith('pno_')) return id;
  if (typeof id === 'string' && id.startsWith('sus_') && merchantId === null) return GATEWAY_TENANT;
  const owner = merchantId ?? id;
  if (!isMerchantId(owner) || masterId === undefined) return null;
  return isMerchantId(masterId) ? masterId : owner;
};

/** The merchant that owns a document, null where none does or the document does not say. */
export const ownerShownBy = (document: object): MerchantId | null => {
  const { id, merchantId } = document as Owned;
  const owner = merchantId ?? id;
  return isMerchantId(owner) ? owner : null;
};

/** Finds the tenant of a merchant; null for one that is not stored. */
export type FindTenant = (merchantId: MerchantId) => Promise<TenantId | null>;

/**
 * Tells the tenants of the documents of one command. A document that says too little belongs to its merchant's tenant,
 * else to that of the documents before it.
 */
export const createTenantTeller = (findTenant: FindTenant, caller: TenantId | null) => {
  let last = caller;
  return {
    /** The tenant that the command is about, as far as its documents have told; null where none has. */
    current: (): TenantId | null => last,
    see(document: object): void {
      last = tenantShownBy(document) ?? last;
    },
    /** Keeps a document with its former tenant where it says no owner; only the gateway's may become somebody's. */
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
