import Joi from 'joi';
import type { Principal } from '../../../kernel/principal.ts';
import { defineList } from '../../../platform/read-store/list.ts';
import type { ListFor, ReadView } from '../../../platform/read-store/read-view.ts';
import { BY_TAX_ID } from '../../merchants/read/list-merchants.ts';
import { MERCHANTS_VIEW } from '../../merchants/read/merchant.view.ts';
import { MERCHANT_STATUSES } from '../../merchants/write/merchant.ts';
import type { Marketplace } from '../write/marketplace.ts';
import { presentSubmerchant, type SubmerchantAnswer } from './submerchant.view.ts';

const sortable = {
  id: { field: 'id', kind: 'keyword' },
  legalName: { field: 'legalName', kind: 'keyword' },
  email: { field: 'email', kind: 'keyword' },
  companyTaxId: { field: 'companyTaxId', kind: 'keyword' },
  status: { field: 'status', kind: 'keyword' },
  createdAt: { field: 'createdAt', kind: 'date' },
  updatedAt: { field: 'updatedAt', kind: 'date' },
} as const;

const filters = {
  status: { kind: 'keyword', field: 'status', schema: Joi.string().valid(...MERCHANT_STATUSES) },
  legalName: { kind: 'words', field: 'legalName.words' },
  email: { kind: 'keyword', field: 'email', description: 'The whole address, in upper or lower case.' },
  companyTaxId: BY_TAX_ID,
  createdAt: { kind: 'date', field: 'createdAt' },
  updatedAt: { kind: 'date', field: 'updatedAt' },
} as const;

export const SUBMERCHANT_LIST = defineList({ sortable, filters });

/** Operators see the sub-merchants of both environments and of every master. */
export const ADMIN_SUBMERCHANT_LIST = defineList({
  sortable: {
    ...sortable,
    masterId: { field: 'masterId', kind: 'keyword' },
    livemode: { field: 'livemode', kind: 'keyword' },
  },
  filters: {
    ...filters,
    masterId: {
      kind: 'keyword',
      field: 'masterId',
      description: 'Only sub-merchants of this master, `mer_…`.',
    },
    livemode: {
      kind: 'keyword',
      field: 'livemode',
      schema: Joi.string().valid('true', 'false'),
      description: '`true`: production, `false`: sandbox.',
    },
  },
});

/** A master's sub-merchants in the environment of its credential; a sub-merchant finds itself only. */
export type ListSubmerchants = ListFor<SubmerchantAnswer>;

export const createListSubmerchants =
  (deps: { readonly readView: ReadView; readonly marketplace: Marketplace }): ListSubmerchants =>
  async (principal, query, consistencyToken) => {
    const isOperator = principal.kind === 'operator';
    if (!isOperator && principal.masterId === null) await deps.marketplace.requireMaster(principal);
    const list = isOperator ? ADMIN_SUBMERCHANT_LIST : SUBMERCHANT_LIST;
    const listing = { list, view: MERCHANTS_VIEW, present: presentSubmerchant };
    return deps.readView.page(listing, scopeOf(principal), query, consistencyToken);
  };

const scopeOf = (principal: Principal) => {
  if (principal.kind === 'operator') return [{ exists: { field: 'masterId' } }];
  const { merchantId, masterId, livemode } = principal;
  const own = masterId === null ? { masterId: merchantId } : { id: merchantId };
  return [{ term: own }, { term: { livemode } }];
};
