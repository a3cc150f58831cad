import { type ComponentType, lazy } from 'react';
import { type Me, may, type Permission } from './session.tsx';

/** A screen of the navigation; `isFor` says who may do something there. */
export type Screen = {
  readonly path: string;
  readonly title: string;
  readonly isFor: (me: Me) => boolean;
  readonly component: ComponentType;
};

const either = (merchant: Permission, operator: Permission) => (me: Me) =>
  may(me, me.merchant ? merchant : operator);
/** Operators with one of some permissions. */
const operators =
  (...permissions: readonly Permission[]) =>
  (me: Me) =>
    me.merchant === null && permissions.some((permission) => may(me, permission));

/** The screens in the order of the navigation; each is a chunk of its own. */
export const SCREENS: readonly Screen[] = [
  {
    path: '/',
    title: 'Home',
    isFor: () => true,
    component: lazy(() => import('./screens/home.tsx')),
  },
  {
    path: '/charges',
    title: 'Charges',
    isFor: either('charges.read', 'admin.charges.read'),
    component: lazy(() => import('./screens/charges.tsx')),
  },
  {
    path: '/checkout',
    title: 'Checkout',
    isFor: either('checkout.manage', 'admin.charges.read'),
    component: lazy(() => import('./screens/checkout.tsx')),
  },
  {
    path: '/customers',
    title: 'Customers',
    isFor: either('customers.manage', 'admin.charges.read'),
    component: lazy(() => import('./screens/customers.tsx')),
  },
  {
    path: '/subscriptions',
    title: 'Subscriptions',
    isFor: either('subscriptions.manage', 'admin.charges.read'),
    component: lazy(() => import('./screens/subscriptions.tsx')),
  },
  {
    path: '/statement',
    title: 'Statement',
    isFor: either('statement.read', 'admin.reports.read'),
    component: lazy(() => import('./screens/statement.tsx')),
  },
  {
    path: '/payouts',
    title: 'Payouts',
    isFor: either('payouts.read', 'admin.payout_requests.read'),
    component: lazy(() => import('./screens/payouts.tsx')),
  },
  {
    path: '/reports',
    title: 'Reports',
    isFor: operators('admin.reports.read'),
    component: lazy(() => import('./screens/reports.tsx')),
  },
  {
    path: '/submerchants',
    title: 'Sub-merchants',
    isFor: (me) =>
      me.merchant
        ? me.merchant.role === 'MerchantMaster' && may(me, 'submerchants.manage')
        : may(me, 'admin.merchants.read'),
    component: lazy(() => import('./screens/submerchants.tsx')),
  },
  {
    path: '/terms',
    title: 'Fees and settings',
    isFor: (me) => me.merchant !== null,
    component: lazy(() => import('./screens/terms.tsx')),
  },
  {
    path: '/merchants',
    title: 'Merchants',
    isFor: operators('admin.merchants.read'),
    component: lazy(() => import('./screens/merchants.tsx')),
  },
  {
    path: '/keys',
    title: 'API keys',
    isFor: either('keys.manage', 'admin.merchants.read'),
    component: lazy(() => import('./screens/keys.tsx')),
  },
  {
    path: '/manual-refunds',
    title: 'Manual refunds',
    isFor: operators('admin.manual_refund_requests.read'),
    component: lazy(() => import('./screens/manual-refunds.tsx')),
  },
  {
    path: '/alerts',
    title: 'Chargeback alerts',
    isFor: operators('admin.chargeback_alerts.create'),
    component: lazy(() => import('./screens/alerts.tsx')),
  },
  {
    path: '/disputes',
    title: 'Disputes',
    isFor: either('disputes.manage', 'admin.charges.read'),
    component: lazy(() => import('./screens/disputes.tsx')),
  },
  {
    path: '/webhooks',
    title: 'Webhooks',
    isFor: either('webhooks.manage', 'admin.webhooks.read'),
    component: lazy(() => import('./screens/webhooks.tsx')),
  },
  {
    path: '/adjustments',
    title: 'Adjustments',
    isFor: operators('admin.adjustments.create', 'admin.adjustments.approve'),
    component: lazy(() => import('./screens/adjustments.tsx')),
  },
  {
    path: '/users',
    title: 'Users',
    isFor: either('users.manage', 'admin.users.update'),
    component: lazy(() => import('./screens/users.tsx')),
  },
  {
    path: '/proposals',
    title: 'Proposals',
    isFor: operators('admin.users.update', 'admin.payout_requests.update', 'admin.merchants.update'),
    component: lazy(() => import('./screens/proposals.tsx')),
  },
  {
    path: '/audit-log',
    title: 'Audit log',
    isFor: operators('admin.audit.read'),
    component: lazy(() => import('./screens/audit-log.tsx')),
  },
];

/** Screens that others lead to: one record, or what is found. */
export const FURTHER: readonly Pick<Screen, 'path' | 'component'>[] = [
  { path: '/charges/:id', component: lazy(() => import('./screens/charge.tsx')) },
  { path: '/customers/:id', component: lazy(() => import('./screens/customer.tsx')) },
  { path: '/payment-links', component: lazy(() => import('./screens/payment-links.tsx')) },
  { path: '/checkout-settings', component: lazy(() => import('./screens/checkout-settings.tsx')) },
  { path: '/plans', component: lazy(() => import('./screens/plans.tsx')) },
  { path: '/subscriptions/:id', component: lazy(() => import('./screens/subscription.tsx')) },
  { path: '/disputes/:id', component: lazy(() => import('./screens/dispute.tsx')) },
  { path: '/submerchants/:id', component: lazy(() => import('./screens/submerchant.tsx')) },
  { path: '/merchants/:id/:part?', component: lazy(() => import('./screens/merchant.tsx')) },
  { path: '/default-settings', component: lazy(() => import('./screens/default-settings.tsx')) },
  { path: '/reports/:name', component: lazy(() => import('./screens/reports.tsx')) },
  { path: '/webhooks/endpoints', component: lazy(() => import('./screens/webhooks/endpoints.tsx')) },
  { path: '/groups', component: lazy(() => import('./screens/groups.tsx')) },
  { path: '/account', component: lazy(() => import('./screens/account.tsx')) },
  { path: '/search', component: lazy(() => import('./screens/search.tsx')) },
];
