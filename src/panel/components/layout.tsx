import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { signOut } from '../api.ts';
import type { Screen } from '../screens.ts';
import { type Me, useSession } from '../session.tsx';
import { t } from '../words.ts';
import { Button } from './button.tsx';
import { Problem } from './parts.tsx';

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('input, textarea, select');

export const Layout = (props: {
  readonly me: Me;
  readonly screens: readonly Screen[];
  readonly children: ReactNode;
}) => {
  const { me, screens, children } = props;
  const [path] = useLocation();
  const session = useSession();
  const leave = useMutation({
    async mutationFn() {
      await signOut();
      await session.changed();
    },
  });
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  // Focus moves to the beginning of another screen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what changes
  useEffect(() => {
    if (!isFirst.current) {
      main.current?.focus({ preventScroll: true });
      window.scrollTo(0, 0);
    }
    isFirst.current = false;
  }, [path]);
  return (
    <>
      <a className="skip" href="#main">
        {t('Skip to content')}
      </a>
      <header>
        {!me.livemode && <p className="test-banner">{t('Test data')}</p>}
        <div className="top">
          <Link href="/" className="brand">
            <img src={new URL('../icon.svg', import.meta.url).href} alt="" width="24" height="24" />
            Portico
          </Link>
          <SearchBox />
          <div className="user">
            <Link href="/account">
              {me.name ?? me.email}
              <small>
                {me.merchant?.legalName ?? t('Operator')} · {me.livemode ? t('Live') : t('Test')}
              </small>
            </Link>
            <Button label={t('Sign out')} className="quiet" onClick={() => leave.mutate()} />
          </div>
        </div>
        {leave.error && <Problem error={leave.error} />}
      </header>
      <Navigation screens={screens} path={path} />
      <main id="main" ref={main} tabIndex={-1}>
        {children}
      </main>
    </>
  );
};

/** The way to each screen; a narrow window shows a button for it. */
const Navigation = ({ screens, path }: { readonly screens: readonly Screen[]; readonly path: string }) => {
  const [isOpen, setOpen] = useState(false);
  const isHere = (screen: Screen): boolean =>
    path === screen.path || (screen.path !== '/' && path.startsWith(`${screen.path}/`));
  const here = screens.find(isHere);
  return (
    <nav aria-label={t('Screens')} className={isOpen ? 'open' : undefined}>
      <button
        type="button"
        className="menu"
        aria-expanded={isOpen}
        aria-controls="screens"
        onClick={() => setOpen(!isOpen)}
      >
        <span>
          <span aria-hidden="true">☰</span> {t('Menu')}
        </span>
        {here && <small>{t(here.title)}</small>}
      </button>
      <ul id="screens">
        {screens.map((screen) => (
          <li key={screen.path}>
            <Link
              href={screen.path}
              aria-current={screen === here ? 'page' : undefined}
              onClick={() => setOpen(false)}
            >
              {t(screen.title)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
};

/** The search for anything, reached by the key `/`. */
const SearchBox = () => {
  const [text, setText] = useState('');
  const [, navigate] = useLocation();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focus = (event: KeyboardEvent): void => {
      if (event.key !== '/' || isTyping(event.target) || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener('keydown', focus);
    return () => document.removeEventListener('keydown', focus);
  }, []);
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim().length > 1) navigate(`/search?q=${encodeURIComponent(text.trim())}`);
        }}
      >
        <input
          ref={input}
          type="search"
          aria-label={t('Search')}
          placeholder={t('Search: id, reference, e-mail, last four …')}
          aria-keyshortcuts="/"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </form>
    </search>
  );
};
