import { isPortuguese } from './words.ts';

/** Permissions in English and in Portuguese. */
export const PERMISSION_WORDS: Readonly<Record<string, readonly [english: string, portuguese: string]>> = {
  'charges.create': ['Create charges', 'Criar cobranças'],
  'charges.read': ['See charges', 'Ver cobranças'],
  'refunds.create': ['Refund charges', 'Reembolsar cobranças'],
  'statement.read': ['See balance and statement', 'Ver saldo e extrato'],
  'submerchants.manage': ['Manage sub-merchants', 'Gerenciar sublojistas'],
  'payouts.create': ['Ask for payouts', 'Pedir saques'],
  'payouts.read': ['See payouts', 'Ver saques'],
  'fees.read': ['See fees', 'Ver tarifas'],
  'anticipations.create': ['Anticipate receivables', 'Antecipar recebíveis'],
  'webhooks.manage': ['Manage webhooks', 'Gerenciar webhooks'],
  'customers.manage': ['Manage customers', 'Gerenciar clientes'],
  'payment_methods.manage': ['Manage stored cards and mandates', 'Gerenciar cartões salvos e autorizações'],
  'subscriptions.manage': ['Manage subscriptions', 'Gerenciar assinaturas'],
  'checkout.manage': ['Manage checkout and payment links', 'Gerenciar checkout e links de pagamento'],
  'disputes.manage': ['Answer disputes', 'Responder disputas'],
  'keys.manage': ['Manage API keys', 'Gerenciar chaves de API'],
  'users.manage': ['Manage users', 'Gerenciar usuários'],
  'admin.charges.read': ['See charges of all merchants', 'Ver cobranças de todos os lojistas'],
  'admin.refunds.manual': ['Record manual refunds', 'Registrar reembolsos manuais'],
  'admin.chargeback_alerts.create': ['Register chargeback alerts', 'Registrar alertas de chargeback'],
  'admin.chargebacks.confirm': ['Confirm chargebacks', 'Confirmar chargebacks'],
  'admin.manual_refund_requests.read': ['See manual refunds', 'Ver reembolsos manuais'],
  'admin.manual_refund_requests.update': ['Resolve manual refunds', 'Resolver reembolsos manuais'],
  'admin.merchants.read': ['See merchants', 'Ver lojistas'],
  'admin.merchants.update': ['Change merchants', 'Alterar lojistas'],
  'admin.payout_requests.read': ['See payouts of all merchants', 'Ver saques de todos os lojistas'],
  'admin.payout_requests.update': ['Decide on payouts', 'Decidir saques'],
  'admin.reports.read': ['See reports', 'Ver relatórios'],
  'admin.webhooks.read': ['See webhooks of all merchants', 'Ver webhooks de todos os lojistas'],
  'admin.webhooks.update': ['Change webhooks of all merchants', 'Alterar webhooks de todos os lojistas'],
  'admin.users.update': ['Manage people and groups', 'Gerenciar pessoas e grupos'],
  'admin.audit.read': ['See the audit log', 'Ver o registro de auditoria'],
  'admin.adjustments.create': ['Propose adjustments', 'Propor ajustes'],
  'admin.adjustments.approve': ['Decide on adjustments', 'Decidir ajustes'],
  'admin.customers.erase': ['Erase personal data', 'Apagar dados pessoais'],
};

/** A permission in words; one without any by its name. */
export const tPermission = (permission: string): string =>
  PERMISSION_WORDS[permission]?.[isPortuguese ? 1 : 0] ?? permission;

/** Permissions in words, in one line. */
export const permissionsInWords = (permissions: readonly string[]): string =>
  permissions.map(tPermission).toSorted().join(', ');

/** Permissions as choices. */
export const permissionOptions = (permissions: readonly string[]) =>
  permissions.map((value) => ({ value, label: tPermission(value) }));
