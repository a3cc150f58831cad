import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'wouter';
import type { Schemas } from '../../client/client.ts';
import { ask } from '../api.ts';
import { CopyAsCurl, Problem, Skeleton, Status } from '../components/parts.tsx';
import { Tabs } from '../components/tabs.tsx';
import { may, useMe } from '../session.tsx';
import { useTitle } from '../use-title.ts';
import { t } from '../words.ts';
import { KeysOf } from './keys.tsx';
import { Certificates } from './merchant/certificates.tsx';
import { Fees } from './merchant/fees.tsx';
import { Overview } from './merchant/overview.tsx';
import { Settings } from './merchant/settings.tsx';
import { Split } from './merchant/split.tsx';

const MerchantScreen = () => {
  const { id = '', part = '' } = useParams();
  const me = useMe();
  useTitle(t('Merchant'));
  const home = `/merchants/${id}`;
  const call = { path: `/v1/admin/merchants/${encodeURIComponent(id)}` };
  const found = useQuery({ queryKey: [call.path], queryFn: () => ask<Schemas['Merchant']>(call) });
  if (found.isPending) return <Skeleton lines={10} />;
  if (found.error) return <Problem error={found.error} onRetry={() => found.refetch()} />;
  const merchant = found.data;
  return (
    <>
      <p className="trail">
        <Link href="/merchants">{t('Merchants')}</Link>
      </p>
      <div className="heading">
        <h1>{merchant.legalName}</h1>
        <Status status={merchant.status} />
        <span className="space" />
        {may(me, 'admin.audit.read') && (
          <Link href={`/audit-log?resourceId=${merchant.id}`}>{t('Audit log')}</Link>
        )}
        <CopyAsCurl call={call} />
      </div>
      <Tabs
        tabs={[
          { href: home, title: t('Overview') },
          { href: `${home}/fees`, title: t('Fees') },
          { href: `${home}/settings`, title: t('Settings') },
          { href: `${home}/split`, title: t('Default split') },
          { href: `${home}/keys`, title: t('API keys') },
          { href: `${home}/certificates`, title: t('Wallet certificates') },
        ]}
      />
      {part === '' && <Overview merchant={merchant} />}
      {part === 'fees' && <Fees merchantId={merchant.id} />}
      {part === 'settings' && <Settings merchantId={merchant.id} />}
      {part === 'split' && <Split merchantId={merchant.id} />}
      {part === 'keys' && <KeysOf merchant={merchant} />}
      {part === 'certificates' && <Certificates merchantId={merchant.id} />}
    </>
  );
};
export default MerchantScreen;
