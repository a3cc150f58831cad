import { keyword, name, timestamps } from '../../../platform/read-store/fields.ts';
import { defineView } from '../../../platform/read-store/view.ts';
import { GROUPS } from '../write/group.ts';

export const GROUPS_VIEW = defineView({
  name: 'groups',
  version: 2,
  source: GROUPS,
  fields: {
    id: keyword(),
    name: name(),
    permissions: keyword(),
    ...timestamps,
  },
});

/** A group as the API answers it. */
export const presentGroup = GROUPS_VIEW.present;
