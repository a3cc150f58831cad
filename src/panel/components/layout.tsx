import { useMutation } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { signOut, switchEnvironment } from '../api.ts';
import { formatNumber, shownZone } from '../format.ts';
import { GROUPS, type Screen } from '../screens.ts';
import { type Me, useSession } from '../session.tsx';
import { numberIn, useCounts, waitingFor } from '../waiting.ts';
import { t } from '../words.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { OfflineBand } from './offline-band.tsx';
import { Problem } from './problem.tsx';
import { TestClock } from './test-clock.tsx';

const Palette = lazy(() => import('../screens/palette.tsx'));

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('input, textarea, select');

export const Layout = (props: { readonly me: Me; readonly children: ReactNode }) => {
  const { me, children } = props;
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
        {!me.livemode && (
          <div className="test-banner">
            {t('Test data')} <TestClock me={me} />
          </div>
        )}
        <div className="top">
          <Link href="/" className="brand">
            <img src={new URL('../icon.svg', import.meta.url).href} alt="" width="24" height="24" />
            Portico
          </Link>
          <SearchBox />
          <EnvironmentSwitch me={me} />
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
      <Navigation me={me} path={path} />
      <PaletteByKey />
      <main id="main" ref={main} tabIndex={-1}>
        <OfflineBand />
        <p className="letterhead">
          {[
            me.merchant?.legalName,
            me.livemode ? null : t('Test data'),
            t('Days of {zone}', { zone: shownZone() }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        {children}
      </main>
    </>
  );
};

/** Leads to the home screen in the other environment; nothing for a merchant that exists in one only. */
const EnvironmentSwitch = ({ me }: { readonly me: Me }) => {
  const change = useMutation({ mutationFn: switchEnvironment });
  if (me.merchant?.masterId) return null;
  return (
    <fieldset className="environment" disabled={change.isPending}>
      <legend className="unseen">{t('Environment')}</legend>
      {[false, true].map((livemode) => (
        <label key={String(livemode)}>
          <input
            type="radio"
            name="shown-environment"
            checked={me.livemode === livemode}
            onChange={() => change.mutate(livemode)}
          />
          {livemode ? t('Live') : t('Test')}
        </label>
      ))}
      {change.error && <Problem error={change.error} />}
    </fieldset>
  );
};

/** How much waits for the user on each screen, by its path. */
const useWaiting = (me: Me): Readonly<Record<string, number>> => {
  const waiting = waitingFor(me).filter(({ isWhole }) => !isWhole);
  const reads = useCounts(waiting);
  const counts: Record<string, number> = {};
  for (const [index, { href }] of waiting.entries()) {
    const [path = ''] = href.split(/[?]|(?<=.)\//);
    const found = reads[index]?.data;
    if (found) counts[path] = (counts[path] ?? 0) + numberIn(found);
  }
  return counts;
};

/** A number beside an entry of the menu; nothing where nothing waits. */
const Counter = ({ of }: { readonly of: number }) =>
  of > 0 && (
    <small className="count">
      {formatNumber(of)} <span className="unseen">{t('waiting for you')}</span>
    </small>
  );

/** The way to each screen; a narrow window shows a button for it. */
const Navigation = ({ me, path }: { readonly me: Me; readonly path: string }) => {
  const [isOpen, setOpen] = useState(false);
  const groups = GROUPS.map(({ title, screens: all }) => ({
    title,
    screens: all.filter(({ isFor }) => isFor(me)),
  })).filter(({ screens: some }) => some.length > 0);
  const screens = groups.flatMap((group) => group.screens);
  const counts = useWaiting(me);
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
        {groups.map((group) => (
          <li key={group.title ?? ''}>
            {group.title !== null && <p id={`group-${group.title}`}>{t(group.title)}</p>}
            <ul {...(group.title === null ? {} : { 'aria-labelledby': `group-${group.title}` })}>
              {group.screens.map((screen) => (
                <li key={screen.path}>
                  <Link
                    href={screen.path}
                    aria-current={screen === here ? 'page' : undefined}
                    onClick={() => setOpen(false)}
                  >
                    <Icon name={screen.icon} />
                    {t(screen.title)}
                  </Link>
                  <Counter of={counts[screen.path] ?? 0} />
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </nav>
  );
};

/** The command palette, opened by Ctrl K or, on a Mac, by Command K. It waits where another dialog is open. */
const PaletteByKey = () => {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const open = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      if (!document.querySelector('dialog[open]')) setOpen(true);
    };
    document.addEventListener('keydown', open);
    return () => document.removeEventListener('keydown', open);
  }, []);
  return (
    isOpen && (
      <Suspense>
        <Palette onClose={() => setOpen(false)} />
      </Suspense>
    )
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
