import Joi from 'joi';
import { OPERATOR_PERMISSIONS } from '../../../kernel/principal.ts';
import type { AwaitConsistency } from '../../../platform/read-store/consistency.ts';
import type { ReadStore } from '../../../platform/read-store/elastic.ts';
import { defineList, type ListQuery, type Page } from '../../../platform/read-store/list.ts';
import type { View } from '../../../platform/read-store/view.ts';
import { GROUPS_VIEW, type GroupAnswer } from './group.view.ts';

export const groupList = defineList({
  sortable: {
    id: { field: 'id', kind: 'keyword' },
    name: { field: 'name', kind: 'keyword' },
    createdAt: { field: 'createdAt', kind: 'date' },
    updatedAt: { field: 'updatedAt', kind: 'date' },
  },
  filters: {
    name: { kind: 'keyword', field: 'name' },
    permission: {
      kind: 'keyword',
      field: 'permissions',
      schema: Joi.string().valid(...OPERATOR_PERMISSIONS),
    },
    createdAt: { kind: 'date', field: 'createdAt' },
  },
});

export type ListGroups = (query: ListQuery, consistency: string | null) => Promise<Page<GroupAnswer>>;

export const listGroups = (deps: {
  readonly readStore: ReadStore;
  readonly viewReady: (view: View) => Promise<void>;
  readonly awaitConsistency: AwaitConsistency;
}): ListGroups => {
  return async (query, consistency) => {
    await deps.viewReady(GROUPS_VIEW);
    await deps.awaitConsistency(GROUPS_VIEW, consistency);
    return groupList.search<GroupAnswer>(deps.readStore, GROUPS_VIEW, query, []);
  };
};
