import { useState } from 'react';
import type { Schemas } from '../../client/client.ts';
import { call } from '../api.ts';
import { Button } from '../components/button.tsx';
import { Changes } from '../components/changes.tsx';
import { textColumn, timeColumn } from '../components/columns.tsx';
import { CommandDialog } from '../components/command-dialog.tsx';
import type { Column } from '../components/data-table.tsx';
import { choiceFilter } from '../components/filters.tsx';
import { ListScreen } from '../components/list-screen.tsx';
import { useChecks, useFields } from '../components/use-fields.tsx';
import { permissionOptions, permissionsInWords } from '../permission-words.ts';
import { GROUP_PERMISSIONS } from '../values.ts';
import { t } from '../words.ts';
import { userTabs } from './users.tsx';

type Group = Schemas['Group'];

const columns = (): readonly Column<Group>[] => [
  textColumn('name', t('Name'), { sort: 'name' }),
  {
    key: 'permissions',
    head: t('Permissions'),
    cell: ({ permissions }) => permissionsInWords(permissions) || '–',
  },
  timeColumn('updatedAt', t('Changed')),
];

const Groups = () => {
  const [changed, setChanged] = useState<Group | null>(null);
  const close = (): void => setChanged(null);
  return (
    <ListScreen
      title={t('Groups')}
      tabs={userTabs()}
      add={{ label: t('Create group'), dialog: NewGroup }}
      list={call('listGroups')}
      columns={columns()}
      filters={[choiceFilter('permission', t('Permission'), permissionOptions(GROUP_PERMISSIONS))]}
      csv="groups"
      empty={t('Operators and people of merchants get permissions by groups, which are shown here.')}
      actions={(group) => <Button label={t('Edit')} onClick={() => setChanged(group)} />}
    >
      {changed && <GroupDialog group={changed} onClose={close} />}
    </ListScreen>
  );
};
export default Groups;

const NewGroup = ({ onClose }: { readonly onClose: () => void }) => (
  <GroupDialog group={null} onClose={onClose} />
);

const GroupDialog = ({ group, onClose }: { readonly group: Group | null; readonly onClose: () => void }) => {
  const { values, field } = useFields({ name: '' });
  const [permissions, permissionChecks] = useChecks(
    'permissions',
    t('Permissions'),
    permissionOptions(GROUP_PERMISSIONS),
    group?.permissions,
  );
  return (
    <CommandDialog
      title={group ? group.name : t('Create group')}
      action={t('Save')}
      isWide
      call={
        group
          ? call('updateGroup', { path: { name: group.name }, body: { permissions } })
          : call('createGroup', { body: { ...values, permissions } })
      }
      onClose={onClose}
    >
      {!group && field('name', t('Name'), { required: true })}
      {permissionChecks}
      <Changes
        of={[
          [t('Permissions'), permissionsInWords(group?.permissions ?? []), permissionsInWords(permissions)],
        ]}
      />
    </CommandDialog>
  );
};
