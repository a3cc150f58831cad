import { ScreenHead } from '../components/list-screen.tsx';
import { t } from '../words.ts';
import { Settings } from './merchant/settings.tsx';
import { merchantTabs } from './merchants.tsx';

/** Settings that count for every merchant without one of its own. */
const DefaultSettings = () => (
  <>
    <ScreenHead title={t('Default settings')} tabs={merchantTabs()} />
    <Settings merchantId={null} />
  </>
);
export default DefaultSettings;
