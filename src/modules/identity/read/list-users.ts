import Joi from 'joi';
import { defineList, type ListQuery, type Page } from '../../../platform/read-store/list.ts';
import type { ReadView } from '../../../platform/read-store/read-view.ts';
import { USERS_VIEW, type UserAnswer } from './user.view.ts';

export const userList = defineList({
  sortable: {
    id: { field: 'id', kind: 'keyword' },
    email: { field: 'email', kind: 'keyword' },
    name: { field: 'name', kind: 'keyword' },
    merchantId: { field: 'merchantId', kind: 'keyword' },
    disabled: { field: 'disabled', kind: 'keyword' },
    lastLoginAt: { field: 'lastLoginAt', kind: 'date' },
    createdAt: { field: 'createdAt', kind: 'date' },
    updatedAt: { field: 'updatedAt', kind: 'date' },
  },
  filters: {
    email: { kind: 'keyword', field: 'email', description: 'The whole address, in upper or lower case.' },
    merchantId: {
      kind: 'keyword',
      field: 'merchantId',
      description: 'Only users of this merchant, `mer_…`.',
    },
    group: { kind: 'keyword', field: 'groups', description: 'Name of a group that the user is a member of.' },
    disabled: {
      kind: 'keyword',
      field: 'disabled',
      schema: Joi.string().valid('true', 'false'),
      description: '`false` finds those who may log in.',
    },
    secondFactor: {
      kind: 'keyword',
      field: 'secondFactor',
      schema: Joi.string().valid('true', 'false'),
      description: '`false` finds those who log in by password alone.',
    },
    lastLoginAt: { kind: 'date', field: 'lastLoginAt' },
    createdAt: { kind: 'date', field: 'createdAt' },
  },
});

export type ListUsers = (query: ListQuery, consistency: string | null) => Promise<Page<UserAnswer>>;

export const listUsers =
  (readView: ReadView): ListUsers =>
  (query, consistency) =>
    readView.page(
      { list: userList, view: USERS_VIEW, present: (document: UserAnswer) => document },
      [],
      query,
      consistency,
    );
