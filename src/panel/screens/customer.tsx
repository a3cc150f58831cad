import { useState } from 'react';
import { useParams } from 'wouter';
import type { Schemas } from '../../client/client.ts';
import { type Call, call } from '../api.ts';
import { ApiMenu } from '../components/api-menu.tsx';
import { Button } from '../components/button.tsx';
import { CommandDialog } from '../components/command-dialog.tsx';
import { Facts } from '../components/facts.tsx';
import { Loaded } from '../components/loaded.tsx';
import { MerchantName } from '../components/merchant.tsx';
import { Trail } from '../components/trail.tsx';
import { inOneLine } from '../components/use-address.tsx';
import { When } from '../components/values.tsx';
import { may, useMe } from '../session.tsx';
import { ShownCall } from '../shown-calls.tsx';
import { useRead } from '../use-read.ts';
import { useTitle } from '../use-title.ts';
import { t } from '../words.ts';
import { ChargesOf } from './customer/charges.tsx';
import { CustomerDialog } from './customer/customer-dialog.tsx';
import { Methods } from './customer/methods.tsx';
import { SubscriptionsOf } from './customer/subscriptions.tsx';

type Customer = Schemas['Customer'];

const CustomerScreen = () => {
  const { id = '' } = useParams();
  useTitle(t('Customer'));
  const read = call('getCustomer', { path: { id } });
  return (
    <>
      <Trail to="/customers" title={t('Customers')} />
      <Loaded of={useRead(read)} lines={10}>
        {(customer) => (
          <>
            <Head customer={customer} read={read} />
            <Facts
              rows={[
                [t('Id'), customer.id],
                [t('Merchant'), <MerchantName key="merchant" id={customer.merchantId} />],
                [t('E-mail'), customer.email],
                [t('Document'), customer.document && `${customer.document.type} ${customer.document.id}`],
                [t('Phone'), customer.phone],
                [t('Address'), inOneLine(customer.address) || null],
                [t('Reference'), customer.reference],
                [t('Metadata'), customer.metadata && JSON.stringify(customer.metadata)],
                [t('Created'), <When key="created" at={customer.createdAt} />],
                [t('Deleted'), customer.deletedAt && <When key="deleted" at={customer.deletedAt} />],
              ]}
            />
            <Records customer={customer} />
          </>
        )}
      </Loaded>
    </>
  );
};
export default CustomerScreen;

/** Cards, charges and subscriptions of a customer, as far as the reader may see them. */
const Records = ({ customer: { id, merchantId, deletedAt } }: { readonly customer: Customer }) => {
  const me = useMe();
  const of = { customerId: id, isOwn: me.merchant?.id === merchantId && deletedAt === null };
  const seesCharges = may(me, me.merchant === null ? 'admin.charges.read' : 'charges.read');
  const seesMethods = me.merchant === null || may(me, 'payment_methods.manage');
  const seesSubscriptions = me.merchant === null || may(me, 'subscriptions.manage');
  return (
    <>
      {seesMethods && <Methods {...of} />}
      {seesCharges && <ChargesOf customerId={id} />}
      {seesSubscriptions && <SubscriptionsOf {...of} />}
    </>
  );
};

type Step = 'edit' | 'delete' | 'erase';

const Head = ({ customer, read }: { readonly customer: Customer; readonly read: Call }) => {
  const me = useMe();
  const [step, setStep] = useState<Step | null>(null);
  const close = (): void => setStep(null);
  const isThere = customer.deletedAt === null;
  const isOwn = me.merchant?.id === customer.merchantId;
  const mayErase = me.merchant === null && may(me, 'admin.customers.erase');
  return (
    <div className="heading">
      <h1>{customer.name ?? t('Deleted customer')}</h1>
      <span className="space" />
      <ShownCall call={read} />
      <ApiMenu />
      {isThere && isOwn && <Button label={t('Edit')} onClick={() => setStep('edit')} />}
      {isThere && isOwn && <Button label={t('Delete')} onClick={() => setStep('delete')} />}
      {isThere && mayErase && <Button label={t('Erase')} onClick={() => setStep('erase')} />}
      {step === 'edit' && <CustomerDialog customer={customer} onClose={close} />}
      {step === 'delete' && (
        <CommandDialog
          title={t('Delete customer')}
          action={t('Delete')}
          isDestructive
          call={call('deleteCustomer', { path: { id: customer.id } })}
          onClose={close}
        >
          <p>{t('All personal data is taken out, and it cannot be undone. Charges keep their copy.')}</p>
        </CommandDialog>
      )}
      {step === 'erase' && (
        <CommandDialog
          title={t('Erase customer')}
          action={t('Erase')}
          isDestructive
          call={call('eraseCustomer', { body: { email: customer.email } })}
          onClose={close}
        >
          <p>
            {t(
              'Takes personal data out of every customer and charge with the address {email}, of all merchants. It cannot be undone.',
              { email: customer.email ?? '' },
            )}
          </p>
        </CommandDialog>
      )}
    </div>
  );
};
