import { useState } from 'react';
import type { Schemas } from '../../../client/client.ts';
import { call } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { CommandDialog } from '../../components/command-dialog.tsx';
import { Panel } from '../../components/loaded.tsx';
import { Status } from '../../components/status.tsx';
import { Table } from '../../components/table.tsx';
import { When } from '../../components/values.tsx';
import { t, tStatus } from '../../words.ts';
import { methodName } from '../subscription/card-options.ts';
import { MandateTerms, PlannedCharges } from './mandate.tsx';

type StoredMethod = Schemas['StoredPaymentMethod'];

const REVOCABLE = ['active', 'pending'];

/** The cards that the provider keeps for a customer, and the mandates by which the customer's bank pays. */
export const Methods = (props: { readonly customerId: string; readonly isOwn: boolean }) => {
  const { customerId, isOwn } = props;
  const [revoked, setRevoked] = useState<StoredMethod | null>(null);
  const list = call('listCustomerPaymentMethods', { path: { id: customerId } });
  return (
    <Panel title={t('Stored cards and mandates')} call={list} lines={3}>
      {({ data }) => (
        <>
          {data.length === 0 && (
            <p className="empty">
              {t(
                'Cards that the customer lets you charge again, and mandates of Pix Automático, are shown here.',
              )}
            </p>
          )}
          {data.length > 0 && (
            <Table
              caption={t('Stored cards and mandates')}
              heads={[t('Method'), t('Status'), t('Consent'), t('Planned charges'), t('Actions')]}
              rows={data.map((method) => ({
                key: method.id,
                cells: [
                  method.mandate ? (
                    <MandateTerms key="method" mandate={method.mandate} copyPaste={method.copyPaste} />
                  ) : (
                    methodName(method)
                  ),
                  <span key="status">
                    <Status status={method.status} />
                    {method.failureReason && ` ${tStatus(method.failureReason)}`}
                  </span>,
                  <When key="consent" at={method.consentAt} />,
                  method.mandate && method.status === 'active' && (
                    <PlannedCharges key="planned" customerId={customerId} mandateId={method.id} />
                  ),
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
              title={t('Revoke method')}
              action={t('Revoke')}
              isDestructive
              call={call('deleteCustomerPaymentMethod', {
                path: { id: customerId, methodId: revoked.id },
              })}
              onClose={() => setRevoked(null)}
            >
              <p>
                {t('{method} is never charged again. The customer has to give it anew.', {
                  method: methodName(revoked),
                })}
              </p>
            </CommandDialog>
          )}
        </>
      )}
    </Panel>
  );
};
