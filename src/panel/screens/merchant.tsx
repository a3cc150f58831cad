import { Link, useParams } from 'wouter';
import type { Schemas } from '../../client/client.ts';
import { call } from '../api.ts';
import { ApiMenu } from '../components/api-menu.tsx';
import { Loaded } from '../components/loaded.tsx';
import { NotesOf } from '../components/notes.tsx';
import { Status } from '../components/status.tsx';
import { Tabs } from '../components/tabs.tsx';
import { Trail } from '../components/trail.tsx';
import { may, useMe } from '../session.tsx';
import { ShownCall } from '../shown-calls.tsx';
import { useRead } from '../use-read.ts';
import { useTitle } from '../use-title.ts';
import { t } from '../words.ts';
import { KeysOf } from './keys.tsx';
import { Certificates } from './merchant/certificates.tsx';
import { Fees } from './merchant/fees.tsx';
import { Overview } from './merchant/overview.tsx';
import { ProviderAccounts } from './merchant/provider-accounts.tsx';
import { Settings } from './merchant/settings.tsx';
import { Split } from './merchant/split.tsx';

const read = (id: string) => call('getMerchant', { path: { id } });

const MerchantScreen = () => {
  const { id = '', part = '' } = useParams();
  useTitle(t('Merchant'));
  return (
    <>
      <Trail to="/merchants" title={t('Merchants')} />
      <Loaded of={useRead(read(id))} lines={10}>
        {(merchant) => (
          <>
            <Head merchant={merchant} />
            {part === '' && <Overview merchant={merchant} />}
            {part === '' && <NotesOf resourceId={id} />}
            {part === 'fees' && <Fees merchantId={id} />}
            {part === 'settings' && <Settings merchantId={id} />}
            {part === 'split' && <Split merchantId={id} />}
            {part === 'keys' && <KeysOf merchant={merchant} />}
            {part === 'certificates' && <Certificates merchantId={id} />}
            {part === 'providers' && <ProviderAccounts merchantId={id} />}
          </>
        )}
      </Loaded>
    </>
  );
};
export default MerchantScreen;

const Head = ({ merchant }: { readonly merchant: Schemas['Merchant'] }) => {
  const me = useMe();
  const home = `/merchants/${merchant.id}`;
  return (
    <>
      <div className="heading">
        <h1>{merchant.legalName}</h1>
        <Status status={merchant.status} />
        <span className="space" />
        {may(me, 'admin.audit.read') && (
          <Link href={`/audit-log?resourceId=${merchant.id}`}>{t('Audit log')}</Link>
        )}
        <ShownCall call={read(merchant.id)} />
        <ApiMenu />
      </div>
      <Tabs
        tabs={[
          { href: home, title: t('Overview') },
          { href: `${home}/fees`, title: t('Fees') },
          { href: `${home}/settings`, title: t('Settings') },
          { href: `${home}/split`, title: t('Default split') },
          { href: `${home}/keys`, title: t('API keys') },
          { href: `${home}/certificates`, title: t('Wallet certificates') },
          { href: `${home}/providers`, title: t('Provider accounts') },
        ]}
      />
    </>
  );
};
