import type { IconName } from './components/icon.tsx';

type Visit = { readonly title: string; readonly href: string; readonly icon: IconName };

const MOST = 5;
/** In memory only: the next person at this computer sees nothing of it. */
let visits: readonly Visit[] = [];

/** Remembers a screen of one record, `/charges/chg_…`, by the name of its window. */
export const visit = (href: string, title: string): void => {
  if (!/\/[a-z]{3}_[0-9a-f]{8,}$/.test(href)) return;
  const others = visits.filter((one) => one.href !== href);
  visits = [{ title: `${title} …${href.slice(-6)}`, href, icon: 'clock' as const }, ...others].slice(0, MOST);
};

/** The records that were looked at last. */
export const recent = (): readonly Visit[] => visits;

/** The filters, order and page of each list as it was left, by its path. */
const left = new Map<string, string>();

/** Notes how a list is shown, so that a record of it leads back to the same rows. */
export const noteList = (path: string, search: string): void => {
  left.set(path, search);
};

/** The address of a list as it was left. */
export const addressOfList = (path: string): string => {
  const search = left.get(path);
  return search ? `${path}?${search}` : path;
};

/** Forgets them all, as another person has signed in. */
export const forget = (): void => {
  visits = [];
  left.clear();
};
