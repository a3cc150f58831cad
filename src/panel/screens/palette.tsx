import { type KeyboardEvent, useDeferredValue, useEffect, useId, useState } from 'react';
import { useLocation } from 'wouter';
import { call } from '../api.ts';
import { Dialog } from '../components/dialog.tsx';
import { Icon, type IconName } from '../components/icon.tsx';
import { Problem } from '../components/problem.tsx';
import { formatMoney } from '../format.ts';
import { foundBy, hrefOfMatch } from '../match.ts';
import { recent } from '../recent.ts';
import { SCREENS } from '../screens.ts';
import { type Me, may, type Permission, useMe } from '../session.tsx';
import { useRead } from '../use-read.ts';
import { t, tStatus } from '../words.ts';

/** A way that the palette offers, with the words beside its name. */
type Way = { readonly title: string; readonly note?: string; readonly href: string; readonly icon: IconName };
type Part = { readonly title: string; readonly ways: readonly Way[] };

const MOST = 8;

const folded = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
const has = (title: string, typed: string): boolean =>
  typed.split(/\s+/).every((word) => folded(title).includes(folded(word)));

/** Actions whose dialog opens on the screen that they lead to. */
const actionsFor = (me: Me): readonly Way[] => {
  const ofMerchants = (permission: Permission) => me.merchant !== null && may(me, permission);
  const ofOperators = (permission: Permission) => me.merchant === null && may(me, permission);
  const all: readonly (readonly [boolean, string, string, IconName])[] = [
    [ofMerchants('charges.create'), t('Create charge'), '/charges', 'card'],
    [ofMerchants('checkout.manage'), t('Create payment link'), '/payment-links', 'bolt'],
    [ofMerchants('customers.manage'), t('Add customer'), '/customers', 'users'],
    [ofMerchants('payouts.create'), t('Request payout'), '/payouts', 'payout'],
    [ofMerchants('anticipations.create'), t('Anticipate'), '/anticipations', 'calendar'],
    [ofOperators('admin.merchants.update'), t('Create merchant'), '/merchants', 'shop'],
    [ofOperators('admin.adjustments.create'), t('Propose adjustment'), '/adjustments', 'twice'],
    [ofOperators('admin.chargeback_alerts.create'), t('Register alert'), '/alerts', 'alert'],
  ];
  return all.flatMap(([isFor, title, path, icon]) => (isFor ? { title, href: `${path}?add=1`, icon } : []));
};

const MATCH_ICONS: Readonly<Record<string, IconName>> = {
  charge: 'card',
  refund: 'refund',
  payout_request: 'payout',
  submerchant: 'branch',
  merchant: 'shop',
  user: 'users',
};

/** Records by whatever names them, as the search finds them. */
const useMatches = (typed: string) => {
  const q = useDeferredValue(typed);
  const isWanted = q.length > 1;
  const read = useRead(call('search', { query: { q } }), { isWanted });
  const ways = isWanted
    ? (read.data?.data ?? []).slice(0, MOST).map(
        (match): Way => ({
          title: match.title || match.id,
          note: [
            tStatus(match.type),
            tStatus(match.status),
            foundBy(match),
            match.amount !== null && match.currency ? formatMoney(match.amount, match.currency) : '',
          ]
            .filter(Boolean)
            .join(' · '),
          href: hrefOfMatch(match),
          icon: MATCH_ICONS[match.type] ?? 'ask',
        }),
      )
    : [];
  return { ways, error: isWanted ? read.error : null };
};

/** Finds records, opens screens, begins actions: all by the keyboard. */
const Palette = ({ onClose }: { readonly onClose: () => void }) => {
  const me = useMe();
  const [, navigate] = useLocation();
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const id = useId();
  const typed = text.trim();
  const { ways: matches, error } = useMatches(typed);
  const screens = SCREENS.filter(({ isFor }) => isFor(me)).map(
    ({ title, path, icon }): Way => ({ title: t(title), href: path, icon }),
  );
  const parts: readonly Part[] = [
    { title: t('Found'), ways: matches },
    { title: t('Recent'), ways: typed === '' ? recent() : [] },
    { title: t('Do'), ways: actionsFor(me).filter(({ title }) => has(title, typed)) },
    { title: t('Go to'), ways: screens.filter(({ title }) => has(title, typed)) },
  ].filter(({ ways }) => ways.length > 0);
  const all = parts.flatMap(({ ways }) => ways);
  const at = Math.min(active, all.length - 1);
  useEffect(() => document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' }), [id, at]);
  const go = (way: Way): void => {
    onClose();
    navigate(way.href);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const chosen = all[at];
    if (step !== undefined && all.length > 0) setActive((at + step + all.length) % all.length);
    else if (event.key === 'Enter' && chosen) go(chosen);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title={t('Search or go to')} onClose={onClose}>
      <form onSubmit={(event) => event.preventDefault()}>
        <input
          type="text"
          role="combobox"
          aria-label={t('Search or go to')}
          aria-expanded={all.length > 0}
          aria-controls={`${id}-ways`}
          aria-activedescendant={all.length > 0 ? `${id}-${at}` : undefined}
          aria-autocomplete="list"
          autoComplete="off"
          value={text}
          onKeyDown={onKeyDown}
          onChange={({ target }) => {
            setText(target.value);
            setActive(0);
          }}
        />
      </form>
      {error && <Problem error={error} />}
      <div className="ways" id={`${id}-ways`} role="listbox" aria-label={t('Search or go to')}>
        {parts.map(({ title, ways }) => (
          <div key={title} role="presentation">
            <p role="presentation">{title}</p>
            {ways.map((way) => {
              const place = all.indexOf(way);
              return (
                <div
                  key={place}
                  id={`${id}-${place}`}
                  role="option"
                  tabIndex={-1}
                  aria-selected={place === at}
                  onPointerDown={(event) => {
                    event.preventDefault();
                    go(way);
                  }}
                >
                  <Icon name={way.icon} />
                  <span>{way.title}</span>
                  {way.note && <small>{way.note}</small>}
                </div>
              );
            })}
          </div>
        ))}
      </div>
      {all.length === 0 && <p role="status">{t('Nothing matches these words.')}</p>}
    </Dialog>
  );
};
export default Palette;
