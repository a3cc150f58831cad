import { Suspense } from 'react';
import { Redirect, Route, Switch, useLocation, useSearch } from 'wouter';
import { isPassing } from './api.ts';
import { Dialog } from './components/dialog.tsx';
import { ErrorBoundary } from './components/error-boundary.tsx';
import { Layout } from './components/layout.tsx';
import { Problem } from './components/problem.tsx';
import { Skeleton } from './components/skeleton.tsx';
import { SignIn, SignInForm } from './screens/sign-in.tsx';
import { FURTHER, SCREENS } from './screens.ts';
import { type Me, useSession } from './session.tsx';
import { useTitle } from './use-title.ts';
import { t } from './words.ts';

export const App = () => {
  const { me, isStarting, startError } = useSession();
  const [path] = useLocation();
  const search = useSearch();
  if (isStarting) return <Skeleton lines={6} />;
  if (me) return <SignedIn me={me} />;
  if (isPassing(startError)) return <Problem error={startError} />;
  if (path === '/login') return <SignIn />;
  const to = `${path}${search ? `?${search}` : ''}`;
  return <Redirect to={to === '/' ? '/login' : `/login?to=${encodeURIComponent(to)}`} />;
};

const SignedIn = ({ me }: { readonly me: Me }) => {
  const { hasEnded } = useSession();
  const [path] = useLocation();
  const search = useSearch();
  const screens = SCREENS.filter(({ isFor }) => isFor(me));
  // Only a path of the panel itself: an address of another site would take people there.
  const to = new URLSearchParams(search).get('to') ?? '/';
  return (
    <Layout me={me}>
      <ErrorBoundary key={path}>
        <Suspense fallback={<Skeleton lines={8} />}>
          <Switch>
            <Route path="/login">
              <Redirect to={/^\/(?!\/)/.test(to) ? to : '/'} replace />
            </Route>
            {[...screens, ...FURTHER].map(({ path: at, component }) => (
              <Route key={at} path={at} component={component} />
            ))}
            <Route>
              <NotFound />
            </Route>
          </Switch>
        </Suspense>
      </ErrorBoundary>
      {hasEnded && (
        <Dialog title={t('Your session has ended')}>
          <p>{t('Sign in to go on where you were. Nothing that you typed is lost.')}</p>
          <SignInForm email={me.email} livemode={me.livemode} />
        </Dialog>
      )}
    </Layout>
  );
};

const NotFound = () => {
  useTitle(t('Not found'));
  return (
    <>
      <h1>{t('Not found')}</h1>
      <p>{t('There is no such screen, or you may not see it.')}</p>
    </>
  );
};
