import { useState } from 'react';
import type { Schemas } from '../../client/client.ts';
import { Changes } from '../components/changes.tsx';
import { CommandDialog } from '../components/command-dialog.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Checks, Field } from '../components/field.tsx';
import { When } from '../components/parts.tsx';
import { Tabs } from '../components/tabs.tsx';
import { useTitle } from '../use-title.ts';
import { namesOf, OPERATOR_PERMISSIONS } from '../values.ts';
import { t } from '../words.ts';
import { userTabs } from './users.tsx';

type Group = Schemas['Group'];

const columns = (): readonly Column<Group>[] => [
  { key: 'name', head: t('Name'), sort: 'name', cell: ({ name }) => name },
  { key: 'permissions', head: t('Permissions'), cell: ({ permissions }) => permissions.join(', ') || '–' },
  {
    key: 'updatedAt',
    head: t('Changed'),
    sort: 'updatedAt',
    cell: ({ updatedAt }) => <When at={updatedAt} />,
  },
];

const Groups = () => {
  const [changed, setChanged] = useState<Group | 'new' | null>(null);
  useTitle(t('Groups'));
  return (
    <>
      <div className="heading">
        <h1>{t('Groups')}</h1>
        <span className="space" />
        <button type="button" className="primary" onClick={() => setChanged('new')}>
          {t('Create group')}
        </button>
      </div>
      <Tabs tabs={userTabs()} />
      <DataTable
        path="/v1/admin/groups"
        caption={t('Groups')}
        columns={columns()}
        filters={[
          {
            kind: 'select',
            name: 'permission',
            label: t('Permission'),
            options: namesOf(OPERATOR_PERMISSIONS),
          },
        ]}
        empty={t('Operators get their permissions by groups, which are shown here.')}
        actions={(group) => (
          <button type="button" onClick={() => setChanged(group)}>
            {t('Change')}
          </button>
        )}
      />
      {changed && <GroupDialog group={changed === 'new' ? null : changed} onClose={() => setChanged(null)} />}
    </>
  );
};
export default Groups;

const GroupDialog = ({ group, onClose }: { readonly group: Group | null; readonly onClose: () => void }) => {
  const [name, setName] = useState(group?.name ?? '');
  const [permissions, setPermissions] = useState<readonly string[]>(group?.permissions ?? []);
  return (
    <CommandDialog
      title={group ? group.name : t('Create group')}
      action={t('Save')}
      isWide
      call={
        group
          ? {
              method: 'PATCH',
              path: `/v1/admin/groups/${encodeURIComponent(group.name)}`,
              body: { permissions },
            }
          : { method: 'POST', path: '/v1/admin/groups', body: { name, permissions } }
      }
      onClose={onClose}
    >
      {(error) => (
        <>
          {!group && (
            <Field label={t('Name')} name="name" value={name} onText={setName} required error={error} />
          )}
          <Checks
            label={t('Permissions')}
            name="permissions"
            options={namesOf(OPERATOR_PERMISSIONS)}
            chosen={permissions}
            onChange={setPermissions}
            error={error}
          />
          <Changes
            of={[
              [
                t('Permissions'),
                (group?.permissions ?? []).toSorted().join(', '),
                permissions.toSorted().join(', '),
              ],
            ]}
          />
        </>
      )}
    </CommandDialog>
  );
};
