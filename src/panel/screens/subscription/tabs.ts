import { t } from '../../words.ts';

export const SUBSCRIPTION_TABS = () => [
  { href: '/subscriptions', title: t('Subscriptions') },
  { href: '/plans', title: t('Plans') },
];
