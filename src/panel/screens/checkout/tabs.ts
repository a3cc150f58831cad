import { t } from '../../words.ts';

export const CHECKOUT_TABS = () => [
  { href: '/checkout', title: t('Sessions') },
  { href: '/payment-links', title: t('Payment links') },
];
