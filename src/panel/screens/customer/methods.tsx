import { useState } from 'react';
import type { Schemas } from '../../../client/client.ts';
import { call } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { CommandDialog } from '../../components/command-dialog.tsx';
import { Panel } from '../../components/loaded.tsx';
import { Status, When } from '../../components/parts.tsx';
import { Table } from '../../components/table.tsx';
import { t, tStatus } from '../../words.ts';
import { cardName } from '../subscription/card-options.ts';

type StoredMethod = Schemas['StoredPaymentMethod'];

const REVOCABLE = ['active', 'pending'];

/** The cards that the provider keeps for a customer. */
export const Methods = (props: { readonly customerId: string; readonly isOwn: boolean }) => {
  const { customerId, isOwn } = props;
  const [revoked, setRevoked] = useState<StoredMethod | null>(null);
  const list = call('listCustomerPaymentMethods', { path: { id: customerId } });
  return (
    <Panel title={t('Stored cards')} call={list} lines={3}>
      {({ data }) => (
        <>
          {data.length === 0 && (
            <p className="empty">{t('Cards that the customer lets you charge again are shown here.')}</p>
          )}
          {data.length > 0 && (
            <Table
              caption={t('Stored cards')}
              heads={[t('Card'), t('Status'), t('Consent'), t('Actions')]}
              rows={data.map((method) => ({
                key: method.id,
                cells: [
                  cardName(method),
                  <span key="status">
                    <Status status={method.status} />
                    {method.failureReason && ` ${tStatus(method.failureReason)}`}
                  </span>,
                  <When key="consent" at={method.consentAt} />,
                  isOwn && REVOCABLE.includes(method.status) && (
                    <Button
                      key="revoke"
                      label={t('Revoke')}
                      className="destructive"
                      onClick={() => setRevoked(method)}
                    />
                  ),
                ],
              }))}
            />
          )}
          {revoked && (
            <CommandDialog
              title={t('Revoke card')}
              action={t('Revoke')}
              isDestructive
              call={call('deleteCustomerPaymentMethod', {
                path: { id: customerId, methodId: revoked.id },
              })}
              onClose={() => setRevoked(null)}
            >
              <p>
                {t('{card} is never charged again. The customer has to enter it anew.', {
                  card: cardName(revoked),
                })}
              </p>
            </CommandDialog>
          )}
        </>
      )}
    </Panel>
  );
};
