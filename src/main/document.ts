import { webhookBodies } from '../modules/webhooks/sent-bodies.schemas.ts';
import { createOpenApi, type TagGroup } from '../platform/http/openapi.ts';
import type { Route } from '../platform/http/route.ts';
import { readExamples } from './examples.ts';

/** Every tag by its audience, beginning with developers who integrate payments. */
const TAG_GROUPS: readonly TagGroup[] = [
  {
    name: 'Payments',
    tags: {
      Charges: 'Payments by card, Pix, voucher, bank transfer, QR code and device wallet.',
      'Card tokens': 'Cards that a provider keeps for one payment, so that no merchant sees their numbers.',
      Customers: 'Payers whom a merchant knows, so that charges name them.',
      'Stored payment methods': 'Cards of customers that a provider keeps, to charge them again.',
      Checkout: 'Pages of the gateway on which a payer pays once.',
      'Payment links': 'Addresses to send to payers, each of whom pays in a session of his own.',
      Plans: 'Prices that subscriptions name.',
      Subscriptions: 'Customers who pay again and again, by a stored card or by themselves.',
      Refunds: 'Money back to the payer.',
      Disputes: 'Chargeback alerts and chargebacks, and evidence against them.',
      Webhooks: 'Endpoints, events, and the log of deliveries.',
      'Test helpers': 'Play payers, analysts and banks with test keys.',
    },
  },
  {
    name: 'Money of a merchant',
    tags: {
      Ledger: 'Balance and statement.',
      Payouts: 'Transfers of the balance to a bank account.',
      Anticipations: 'Reserved money before its day.',
      'Fees and settings': 'Terms of the calling merchant.',
    },
  },
  {
    name: 'Marketplaces',
    tags: { 'Sub-merchants': 'Sellers of a master, with documents, keys and fees.' },
  },
  {
    name: 'Access',
    tags: {
      Authentication: 'Logins, sessions, passwords and second factors of users.',
      'Keys and users': 'Access of programs and people to the calling merchant.',
      Notes: 'Texts of people about charges, payouts, merchants and sub-merchants.',
      'Request log': 'Requests of keys, with their answers.',
      Search: 'Records of the caller by anything that names them.',
    },
  },
  {
    name: 'Administration',
    tags: {
      'Charges (administration)': 'Charges of all merchants.',
      'Merchants (administration)': 'Merchants, their permissions and default splits.',
      'API keys (administration)': 'Keys of merchants.',
      'Fees (administration)': 'Prices of the gateway for a merchant.',
      'Settings (administration)': 'Settings of one merchant, and gateway-wide defaults.',
      'Provider accounts (administration)': 'Accounts of merchants at providers.',
      'Wallet certificates (administration)': 'Certificates for device wallets.',
      'Sub-merchants (administration)': 'Credentialing of sub-merchants.',
      'Webhooks (administration)': 'Endpoints, events and deliveries of all merchants.',
      'Users (administration)': 'Users of the gateway and of merchants.',
      'Groups (administration)': 'Groups of users with their permissions.',
      'Proposals (administration)': 'Changes that a second operator approves.',
      'Request log (administration)': 'Requests of the keys of all merchants.',
      'Audit (administration)': 'Log of administrative commands and logins.',
      'Customers (administration)': 'Erasure of personal data.',
      'Providers (administration)': 'How providers answer, and what they have told.',
    },
  },
  {
    name: 'Finance and risk',
    tags: {
      'Payouts (administration)': 'Decisions about payout requests, and outcomes of transfers.',
      'Chargebacks (administration)': 'Alerts, and chargebacks that the acquirer confirms.',
      'Disputes (administration)': 'Evidence of merchants, and decisions of acquirers.',
      'Manual refunds (administration)': 'Refunds to be made by hand.',
      'Adjustments (administration)': 'Corrections of a balance.',
      'Suspense (administration)': 'Money that belongs to nobody yet.',
      Reports: 'Volume, revenue, balances, payouts and reconciliation.',
    },
  },
  {
    name: 'Providers',
    tags: { Providers: 'Notifications of payment providers; not for merchants.' },
  },
];

/** The OpenAPI document of the gateway, with its routes and the events that it sends. */
export const createDocument = (routes: readonly Route[], publicUrl: string | null): object =>
  createOpenApi(routes, {
    webhooks: webhookBodies,
    tagGroups: TAG_GROUPS,
    examples: readExamples(),
    ...(publicUrl === null ? {} : { serverUrl: publicUrl }),
  });
