import { type ComponentType, lazy } from 'react';
import type { IconName } from './components/icon.tsx';
import { type Me, may, type Permission } from './session.tsx';

/** A screen of the navigation; `isFor` says who may do something there. */
export type Screen = {
  readonly path: string;
  readonly title: string;
  readonly icon: IconName;
  readonly isFor: (me: Me) => boolean;
  readonly component: ComponentType;
};

export type Group = { readonly title: string | null; readonly screens: readonly Screen[] };

const either = (merchant: Permission, operator: Permission) => (me: Me) =>
  may(me, me.merchant ? merchant : operator);
/** Operators with one of some permissions. */
const operators =
  (...permissions: readonly Permission[]) =>
  (me: Me) =>
    me.merchant === null && permissions.some((permission) => may(me, permission));

/** The navigation: groups of screens in their order, the first without a name. Each screen is a chunk of its own. */
export const GROUPS: readonly Group[] = [
  {
    title: null,
    screens: [
      {
        path: '/',
        title: 'Home',
        icon: 'home',
        isFor: () => true,
        component: lazy(() => import('./screens/home.tsx')),
      },
    ],
  },
  {
    title: 'Payments',
    screens: [
      {
        path: '/charges',
        title: 'Charges',
        icon: 'card',
        isFor: either('charges.read', 'admin.charges.read'),
        component: lazy(() => import('./screens/charges.tsx')),
      },
      {
        path: '/refunds',
        title: 'Refunds',
        icon: 'refund',
        isFor: either('charges.read', 'admin.charges.read'),
        component: lazy(() => import('./screens/refunds.tsx')),
      },
      {
        path: '/checkout',
        title: 'Checkout',
        icon: 'bolt',
        isFor: either('checkout.manage', 'admin.charges.read'),
        component: lazy(() => import('./screens/checkout.tsx')),
      },
      {
        path: '/customers',
        title: 'Customers',
        icon: 'users',
        isFor: either('customers.manage', 'admin.charges.read'),
        component: lazy(() => import('./screens/customers.tsx')),
      },
      {
        path: '/subscriptions',
        title: 'Subscriptions',
        icon: 'loop',
        isFor: either('subscriptions.manage', 'admin.charges.read'),
        component: lazy(() => import('./screens/subscriptions.tsx')),
      },
      {
        path: '/disputes',
        title: 'Disputes',
        icon: 'flag',
        isFor: either('disputes.manage', 'admin.charges.read'),
        component: lazy(() => import('./screens/disputes.tsx')),
      },
      {
        path: '/alerts',
        title: 'Chargeback alerts',
        icon: 'alert',
        isFor: operators('admin.chargeback_alerts.create'),
        component: lazy(() => import('./screens/alerts.tsx')),
      },
      {
        path: '/manual-refunds',
        title: 'Manual refunds',
        icon: 'clock',
        isFor: operators('admin.manual_refund_requests.read'),
        component: lazy(() => import('./screens/manual-refunds.tsx')),
      },
    ],
  },
  {
    title: 'Money',
    screens: [
      {
        path: '/payouts',
        title: 'Payouts',
        icon: 'payout',
        isFor: either('payouts.read', 'admin.payout_requests.read'),
        component: lazy(() => import('./screens/payouts.tsx')),
      },
      {
        path: '/statement',
        title: 'Statement',
        icon: 'lines',
        isFor: either('statement.read', 'admin.reports.read'),
        component: lazy(() => import('./screens/statement.tsx')),
      },
      {
        path: '/settlements',
        title: 'Settlement calendar',
        icon: 'calendar',
        isFor: (me) => me.merchant !== null && may(me, 'statement.read'),
        component: lazy(() => import('./screens/settlements.tsx')),
      },
      {
        path: '/anticipations',
        title: 'Anticipations',
        icon: 'calendar',
        isFor: operators('admin.charges.read'),
        component: lazy(() => import('./screens/anticipations.tsx')),
      },
      {
        path: '/suspense',
        title: 'Suspense',
        icon: 'ask',
        isFor: operators('admin.adjustments.create', 'admin.adjustments.approve'),
        component: lazy(() => import('./screens/suspense.tsx')),
      },
      {
        path: '/reports',
        title: 'Reports',
        icon: 'chart',
        isFor: operators('admin.reports.read'),
        component: lazy(() => import('./screens/reports.tsx')),
      },
    ],
  },
  {
    title: 'Marketplace',
    screens: [
      {
        path: '/merchants',
        title: 'Merchants',
        icon: 'shop',
        isFor: operators('admin.merchants.read'),
        component: lazy(() => import('./screens/merchants.tsx')),
      },
      {
        path: '/submerchants',
        title: 'Sub-merchants',
        icon: 'branch',
        isFor: (me) =>
          me.merchant
            ? me.merchant.role === 'MerchantMaster' && may(me, 'submerchants.manage')
            : may(me, 'admin.merchants.read'),
        component: lazy(() => import('./screens/submerchants.tsx')),
      },
      {
        path: '/providers',
        title: 'Providers',
        icon: 'plug',
        isFor: operators('admin.charges.read'),
        component: lazy(() => import('./screens/providers.tsx')),
      },
      {
        path: '/terms',
        title: 'Fees and settings',
        icon: 'sliders',
        isFor: (me) => me.merchant !== null,
        component: lazy(() => import('./screens/terms.tsx')),
      },
    ],
  },
  {
    title: 'Developers',
    screens: [
      {
        path: '/keys',
        title: 'API keys',
        icon: 'key',
        isFor: either('keys.manage', 'admin.merchants.read'),
        component: lazy(() => import('./screens/keys.tsx')),
      },
      {
        path: '/webhooks',
        title: 'Webhooks',
        icon: 'hook',
        isFor: either('webhooks.manage', 'admin.webhooks.read'),
        component: lazy(() => import('./screens/webhooks.tsx')),
      },
      {
        path: '/events',
        title: 'Events',
        icon: 'code',
        isFor: either('webhooks.manage', 'admin.webhooks.read'),
        component: lazy(() => import('./screens/events.tsx')),
      },
      {
        path: '/logs',
        title: 'Logs',
        icon: 'log',
        isFor: either('keys.manage', 'admin.merchants.read'),
        component: lazy(() => import('./screens/logs.tsx')),
      },
    ],
  },
  {
    title: 'Administration',
    screens: [
      {
        path: '/users',
        title: 'Users',
        icon: 'users',
        isFor: either('users.manage', 'admin.users.update'),
        component: lazy(() => import('./screens/users.tsx')),
      },
      {
        path: '/proposals',
        title: 'Proposals',
        icon: 'check',
        isFor: operators('admin.users.update', 'admin.payout_requests.update', 'admin.merchants.update'),
        component: lazy(() => import('./screens/proposals.tsx')),
      },
      {
        path: '/adjustments',
        title: 'Adjustments',
        icon: 'twice',
        isFor: operators('admin.adjustments.create', 'admin.adjustments.approve'),
        component: lazy(() => import('./screens/adjustments.tsx')),
      },
      {
        path: '/audit-log',
        title: 'Audit log',
        icon: 'log',
        isFor: operators('admin.audit.read'),
        component: lazy(() => import('./screens/audit-log.tsx')),
      },
    ],
  },
];

export const SCREENS: readonly Screen[] = GROUPS.flatMap(({ screens }) => screens);

/** Screens that others lead to: one record, or what is found. */
export const FURTHER: readonly Pick<Screen, 'path' | 'component'>[] = [
  { path: '/charges/:id', component: lazy(() => import('./screens/charge.tsx')) },
  { path: '/customers/:id', component: lazy(() => import('./screens/customer.tsx')) },
  { path: '/payment-links', component: lazy(() => import('./screens/payment-links.tsx')) },
  { path: '/checkout-settings', component: lazy(() => import('./screens/checkout-settings.tsx')) },
  { path: '/anticipations', component: lazy(() => import('./screens/anticipations.tsx')) },
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
