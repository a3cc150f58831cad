import type { Schemas } from '../../../client/client.ts';

type Chain = Schemas['StatementChain'];

/** The end of what was verified, and the first fault; `place` counts the entries until there. */
export type Verified = {
  readonly place: number;
  readonly hash: string;
  readonly fault: { readonly place: number; readonly id: string | null } | null;
};

export const NOTHING_YET: Verified = { place: 0, hash: '0'.repeat(64), fault: null };

const sha256 = async (text: string): Promise<string> => {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
};

/** Members of an entry's text that are compared: the hash before it, its place and its id. */
const linkIn = (content: string): readonly unknown[] => {
  const [previous, , place, id] = JSON.parse(content);
  return [previous, place, id];
};

/**
 * Recomputes the hash of each entry that follows, and whether it names the one before it. Stops at the first that does
 * not: everything after it hangs on it.
 */
export const verify = async (before: Verified, entries: Chain['data']): Promise<Verified> => {
  let { place, hash } = before;
  for (const entry of entries) {
    const isWhole =
      entry.place === place + 1 &&
      (await sha256(entry.content)) === entry.hash &&
      JSON.stringify(linkIn(entry.content)) === JSON.stringify([hash, entry.place, entry.id]);
    if (!isWhole)
      return { place, hash, fault: { place: place + 1, id: entry.place === place + 1 ? entry.id : null } };
    place = entry.place;
    hash = entry.hash;
  }
  return { place, hash, fault: null };
};
