import { call } from '../api.ts';
import { DataTable } from '../components/data-table.tsx';
import { ScreenHead } from '../components/list-screen.tsx';
import { may, useMe } from '../session.tsx';
import { t } from '../words.ts';
import { OwnFees } from './merchant/fees.tsx';
import { settingColumns } from './merchant/settings.tsx';

/** Fees and settings of the merchant whose user looks. */
const Terms = () => (
  <>
    <ScreenHead title={t('Fees and settings')} />
    {may(useMe(), 'fees.read') && <OwnFees />}
    <h2>{t('Settings')}</h2>
    <DataTable
      list={call('listOwnSettings')}
      caption={t('Settings')}
      columns={settingColumns()}
      csv="settings"
      empty={t('Nothing of its own is set: the defaults count.')}
    />
  </>
);
export default Terms;
