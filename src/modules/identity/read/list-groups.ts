import Joi from 'joi';
import { OPERATOR_PERMISSIONS } from '../../../kernel/principal.ts';
import { defineList, type ListQuery, type Page } from '../../../platform/read-store/list.ts';
import type { ReadView } from '../../../platform/read-store/read-view.ts';
import { GROUPS_VIEW, type GroupAnswer } from './group.view.ts';

export const groupList = defineList({
  sortable: {
    id: { field: 'id', kind: 'keyword' },
    name: { field: 'name', kind: 'keyword' },
    createdAt: { field: 'createdAt', kind: 'date' },
    updatedAt: { field: 'updatedAt', kind: 'date' },
  },
  filters: {
    name: { kind: 'keyword', field: 'name', description: 'The whole name; case counts.' },
    permission: {
      kind: 'keyword',
      field: 'permissions',
      schema: Joi.string().valid(...OPERATOR_PERMISSIONS),
      description: 'Groups that were given this permission itself, not one that includes it.',
    },
    createdAt: { kind: 'date', field: 'createdAt' },
  },
});

export type ListGroups = (query: ListQuery, consistency: string | null) => Promise<Page<GroupAnswer>>;

export const listGroups =
  (readView: ReadView): ListGroups =>
  (query, consistency) =>
    readView.page(
      { list: groupList, view: GROUPS_VIEW, present: (document: GroupAnswer) => document },
      [],
      query,
      consistency,
    );
