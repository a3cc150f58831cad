import { t } from '../../words.ts';

/** Screens of money that becomes available later. */
export const settlementTabs = () => [
  { href: '/settlements', title: t('Settlement calendar') },
  { href: '/anticipations', title: t('Anticipations') },
];
