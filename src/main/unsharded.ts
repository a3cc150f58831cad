/** Collections that stay on the primary shard of a cluster, and why. */
type Unsharded = { readonly reason: string; readonly collections: readonly string[] };

const UNSHARDED: readonly Unsharded[] = [
  {
    reason: 'They are small and have unique indexes of their own',
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
    reason: 'One document for each key, user, sub-merchant or dispute',
    collections: ['api_key_uses', 'saved_views', 'submerchant_document_usage', 'dispute_document_usage'],
  },
  {
    reason: 'Transient work, and marks and results of checks',
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
    reason: 'All entries of the audit log form one chain, which grows only with the changes that people make',
    collections: ['audit_links', 'audit_chain'],
  },
  {
    reason: 'Contents of identity documents and evidence, which are uploaded once and read by people',
    collections: [
      'submerchant_files.files',
      'submerchant_files.chunks',
      'dispute_files.files',
      'dispute_files.chunks',
    ],
  },
  {
    reason:
      'Calls to providers, stored for people to read. A process stores them four times a second, and they are removed with old events.',
    collections: ['provider_calls'],
  },
  {
    reason: 'One document for each account at a provider, read before each call to it',
    collections: ['provider_budgets'],
  },
  {
    reason: 'One small document for each refund through Mercado Pago, found by its id',
    collections: ['mercado_pago_refunds'],
  },
  {
    reason: 'One small document for each mandate and each retry through the API Pix, found by its id',
    collections: ['pix_api_mandates', 'pix_api_retries'],
  },
  {
    reason: 'Test environment',
    collections: [
      'simulator_payments',
      'simulator_refunds',
      'simulator_cards',
      'simulator_mandates',
      'test_clocks',
    ],
  },
];

export const UNSHARDED_COLLECTIONS: readonly string[] = UNSHARDED.flatMap(({ collections }) => collections);

/** The list as a Markdown table. */
export const tableOfUnsharded = (): string =>
  [
    '| Not sharded, on the primary shard | Why |',
    '|---|---|',
    ...UNSHARDED.map(
      ({ reason, collections }) => `| ${collections.map((one) => `\`${one}\``).join(', ')} | ${reason} |`,
    ),
  ].join('\n');
