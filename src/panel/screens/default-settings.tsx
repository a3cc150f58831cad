import { Tabs } from '../components/tabs.tsx';
import { useTitle } from '../use-title.ts';
import { t } from '../words.ts';
import { Settings } from './merchant/settings.tsx';
import { merchantTabs } from './merchants.tsx';

/** Settings that count for every merchant without one of its own. */
const DefaultSettings = () => {
  useTitle(t('Default settings'));
  return (
    <>
      <h1>{t('Default settings')}</h1>
      <Tabs tabs={merchantTabs()} />
      <Settings merchantId={null} />
    </>
  );
};
export default DefaultSettings;
