import type { Transact } from '../../../platform/write-store/transaction.ts';
import { MERCHANTS } from '../../merchants/write/merchant.ts';
import type { Subject } from '../../proposals/write/proposal.ts';
import type { Proposable } from '../../proposals/write/submit-command.ts';
import { connectorNamed } from '../../providers/connectors.ts';
import { type MerchantAccount, PROVIDER_ACCOUNTS } from '../../providers/merchant-accounts.ts';
import type { ChangeAccounts, NewAccount } from './change-accounts.ts';
import type { Given } from './check-settings.ts';

type Replacement = { readonly merchantId: string; readonly accountId: string; readonly settings: Given };

export type AccountProposables = {
  readonly createAccount: Proposable<NewAccount, MerchantAccount>;
  readonly replaceAccount: Proposable<Replacement, MerchantAccount>;
};

const shared = { permission: 'admin.merchants.update', refusals: [] } as const;

/** Commands on merchants' own accounts, which decide where money goes and so may need a second operator. */
export const createAccountProposables = (deps: {
  readonly changeAccounts: (transact: Transact) => ChangeAccounts;
  readonly present: (account: MerchantAccount) => object;
}): AccountProposables => ({
  createAccount: {
    ...shared,
    kind: 'provider_account.create',
    async describe(tx, { id, merchantId, provider, settings }) {
      if (!(await tx.get(MERCHANTS, merchantId))) return null;
      const summary = `Register an own account of ${merchantId} at ${provider}`;
      const after = { merchantId, provider, settings: shown(provider, settings) };
      return subjectOf({ id, summary, before: null, after, seen: null });
    },
    run: (transact, command, context) => deps.changeAccounts(transact).create(command, context),
    present: deps.present,
  },
  replaceAccount: {
    ...shared,
    kind: 'provider_account.replace',
    async describe(tx, { merchantId, accountId, settings }) {
      const account = await tx.get(PROVIDER_ACCOUNTS, accountId);
      if (account?.merchantId !== merchantId) return null;
      const { name, provider, version } = account;
      const summary = `Replace the settings of the account ${name} of ${merchantId}`;
      const after = { settings: shown(provider, settings) };
      return subjectOf({ id: accountId, summary, before: null, after, seen: { version } });
    },
    run: (transact, command, context) => deps.changeAccounts(transact).replace(command, context),
    present: deps.present,
  },
});

/**
 * The settings as the second operator sees them, to judge where the money would go: values that are no secret, and null
 * for all others.
 */
const shown = (provider: string, settings: Given): Readonly<Record<string, string | null>> => {
  const open = connectorNamed(provider)?.shownOfMerchants ?? [];
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [name, open.includes(name) ? value : null]),
  );
};

const subjectOf = (about: {
  readonly id: string;
  readonly summary: string;
  readonly before: object | null;
  readonly after: object;
  readonly seen: object | null;
}): Subject => ({
  summary: about.summary,
  resourceId: about.id,
  livemode: null,
  concernedUserId: null,
  change: JSON.stringify({ before: about.before, after: about.after }),
  seen: JSON.stringify(about.seen),
});
