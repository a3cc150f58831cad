import type { NewId } from '../../kernel/ids.ts';
import { type Routes, route } from '../../platform/http/route.ts';
import { merchantParams } from '../merchants/merchants.schemas.ts';
import { PROPOSED, replyTo } from '../proposals/proposals.schemas.ts';
import type { SubmitCommand } from '../proposals/write/submit-command.ts';
import { accountAnswer, newAccount, newSettings, TAG } from './provider-accounts.schemas.ts';
import type { ChangeAccounts } from './write/change-accounts.ts';
import type { AccountProposables } from './write/proposables.ts';

const PATH = '/v1/admin/merchants/{id}/provider-accounts';
const accountParams = { ...merchantParams, accountId: 'Id of the account, `pac_…`.' };

const CHANGING = { tag: TAG, access: { operator: 'admin.merchants.update' }, errors: [404] } as const;
const COLLECTS =
  'Payments on this account reach the merchant directly: they are booked as collected by the merchant, who owes the fee.';
const APPROVED = 'In production a second operator approves (202).';
const answer = {
  description: 'The account, without the values of its settings.',
  schema: accountAnswer,
};

export const providerAccountRoutes: Routes<{
  submit: SubmitCommand;
  proposables: AccountProposables;
  changeAccounts: ChangeAccounts;
  newId: NewId;
}> = (deps) => [
  route({
    method: 'post',
    operationId: 'createProviderAccount',
    path: PATH,
    params: merchantParams,
    summary: "Register a merchant's own account at a provider",
    description:
      'Live payments use the account once the setting `live_providers` of the merchant, or of its sub-merchant, names it. Its ' +
      `settings are stored sealed. ${COLLECTS} ${APPROVED}`,
    ...CHANGING,
    body: newAccount,
    notSearched: ['settings'],
    responses: { 201: answer, ...PROPOSED },
    async handle({ params, body, context }) {
      const { createAccount } = deps.proposables;
      const command = { id: deps.newId('pac'), merchantId: params.id, ...body };
      return replyTo(await deps.submit(createAccount, command, context), createAccount, 201);
    },
  }),
  route({
    method: 'put',
    operationId: 'replaceProviderAccountSettings',
    path: `${PATH}/{accountId}`,
    params: accountParams,
    summary: "Replace the settings of a merchant's account at a provider",
    description: `Replaces all settings, for example after the provider has issued new credentials. Charges on this account continue. ${APPROVED}`,
    ...CHANGING,
    body: newSettings,
    notSearched: ['settings'],
    responses: { 200: answer, ...PROPOSED },
    async handle({ params: { id, accountId }, body, context }) {
      const { replaceAccount } = deps.proposables;
      const command = { merchantId: id, accountId, ...body };
      return replyTo(await deps.submit(replaceAccount, command, context), replaceAccount);
    },
  }),
  route({
    method: 'delete',
    operationId: 'deleteProviderAccount',
    path: `${PATH}/{accountId}`,
    params: accountParams,
    summary: "Remove a merchant's account at a provider",
    description:
      'Destroys the settings of the account. Payments that are routed to it are refused from then on. Its charges can be ' +
      'refunded by hand only. Removing the account again changes nothing.',
    ...CHANGING,
    responses: { 204: { description: 'The account is removed.' } },
    async handle({ params: { id, accountId }, context }) {
      await deps.changeAccounts.remove({ merchantId: id, accountId }, context);
      return { status: 204 };
    },
  }),
];
