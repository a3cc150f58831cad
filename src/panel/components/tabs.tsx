import { Link, useLocation } from 'wouter';
import { t } from '../words.ts';

type Tab = { readonly href: string; readonly title: string };

/** Parts of a screen, each with an address of its own. */
export const Tabs = ({ tabs }: { readonly tabs: readonly Tab[] }) => {
  const [path] = useLocation();
  return (
    <nav className="tabs" aria-label={t('Parts of this screen')}>
      {tabs.map(({ href, title }) => (
        <Link key={href} href={href} aria-current={path === href ? 'page' : undefined}>
          {title}
        </Link>
      ))}
    </nav>
  );
};
