/** Collections that stay on the primary shard of a cluster. */
type Unsharded = { readonly reason: string; readonly collections: readonly string[] };

const UNSHARDED: readonly Unsharded[] = [
  {
    reason: 'Small; unique indexes of their own',
    collections: [
      'merchants',
      'api_keys',
      'fee_definitions',
      'default_splits',
      'settings',
      'provider_accounts',
      'wallet_certificates',
      'users',
      'groups',
      'administration',
      'sessions',
      'proposals',
      'migrations',
    ],
  },
  {
    reason: 'One document for each key, sub-merchant or dispute',
    collections: ['api_key_uses', 'submerchant_document_usage', 'dispute_document_usage'],
  },
  {
    reason: 'Work that comes and goes; marks and results of checks',
    collections: [
      'outbox_holders',
      'workers',
      'drift',
      'tenant_names',
      'ledger_marks',
      'ledger_check',
      'ledger_checkpoints',
      'ledger_differences',
      'wallet_spent_tokens',
      'backups',
    ],
  },
  {
    reason: 'One chain of all entries of the audit log. It grows with the changes that people make.',
    collections: ['audit_links', 'audit_chain'],
  },
  {
    reason: 'Contents of identity documents and evidence: one upload each, read by hand',
    collections: [
      'submerchant_files.files',
      'submerchant_files.chunks',
      'dispute_files.files',
      'dispute_files.chunks',
    ],
  },
  {
    reason:
      'Calls to providers, for people. A process stores them four times a second. They are removed with old events.',
    collections: ['provider_calls'],
  },
  { reason: 'Test environment', collections: ['simulator_payments', 'simulator_refunds', 'simulator_cards'] },
];

export const UNSHARDED_COLLECTIONS: readonly string[] = UNSHARDED.flatMap(({ collections }) => collections);

/** The list as a table of Markdown. */
export const tableOfUnsharded = (): string =>
  [
    '| Not sharded, on the primary shard | Why |',
    '|---|---|',
    ...UNSHARDED.map(
      ({ reason, collections }) => `| ${collections.map((one) => `\`${one}\``).join(', ')} | ${reason} |`,
    ),
  ].join('\n');
