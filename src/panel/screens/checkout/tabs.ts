import { type Me, may } from '../../session.tsx';
import { t } from '../../words.ts';

export const checkoutTabs = (me: Me) => [
  { href: '/checkout', title: t('Sessions') },
  { href: '/payment-links', title: t('Payment links') },
  ...(may(me, 'checkout.manage') ? [{ href: '/checkout-settings', title: t('Appearance') }] : []),
];
