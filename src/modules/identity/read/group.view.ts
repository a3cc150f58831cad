import type { View } from '../../../platform/read-store/view.ts';
import { GROUPS, type Group } from '../write/group.ts';

/** A group as the API shows it; the view's document is the same. */
export type GroupAnswer = Omit<Group, 'version'>;

export const toGroupAnswer = (group: Group): GroupAnswer => ({
  id: group.id,
  name: group.name,
  permissions: group.permissions,
  createdAt: group.createdAt,
  updatedAt: group.updatedAt,
});

export const GROUPS_VIEW: View<Group, GroupAnswer> = {
  name: 'groups',
  version: 1,
  source: GROUPS,
  properties: {
    id: { type: 'keyword' },
    name: { type: 'keyword', ignore_above: 256 },
    permissions: { type: 'keyword' },
    createdAt: { type: 'date' },
    updatedAt: { type: 'date' },
  },
  toDocument: toGroupAnswer,
};
