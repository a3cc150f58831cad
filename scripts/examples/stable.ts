import { DAY_MS } from '../../src/kernel/durations.ts';

/** The day of every example, at noon, so that it is the same day in most time zones. */
const EPOCH = Date.UTC(2026, 0, 15);

const DATE_TIME = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g;
const ID = /\b([a-z]{2,3})_([0-9a-f]{32})\b/g;
const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
const KEY = /\b([ps]k_(?:test|live)_)[0-9A-Za-z]{32}\b/g;
const JWT = /\beyJ[\w-]+\.[\w-]+\.[\w-]+/g;
const ADDRESS = /https?:\/\/(?:127\.0\.0\.1|localhost):\d+/g;

const UUID_BODY = '0193f5d0a7c87000a000';

/** Members whose values differ from run to run for no visible reason, with their replacements. */
const MEASURED: Readonly<Record<string, unknown>> = { durationMs: 42, latencyMs: 3 };

/**
 * Makes an exchange independent of when it was recorded. Ids, keys, tokens, addresses and times are replaced, and equal
 * values stay equal. Times keep their distance in days from the first one.
 */
export const stable = <T>(exchange: T): T => {
  const first = firstMomentIn(JSON.stringify(exchange));
  const ids = new Map<string, string>();
  const counts = new Map<string, number>();
  const idFor = (whole: string, prefix: string): string => {
    const count = (counts.get(prefix) ?? 0) + (ids.has(whole) ? 0 : 1);
    counts.set(prefix, count);
    const made = ids.get(whole) ?? `${prefix}_${UUID_BODY}${String(count).padStart(12, '0')}`;
    ids.set(whole, made);
    return made;
  };
  const text = (value: string): string =>
    scrambled(
      value
        .replaceAll(DATE_TIME, (moment) => momentFor(moment, first))
        .replaceAll(ID, idFor)
        .replaceAll(UUID, '0193f5d0-a7c8-7000-a000-000000000001')
        .replaceAll(KEY, `$1${'Example'.repeat(5).slice(0, 32)}`)
        .replaceAll(JWT, 'eyJhbGciOiJIUzI1NiJ9.e30.ZXhhbXBsZQ')
        .replaceAll(ADDRESS, 'https://api.example.com'),
    );
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value);
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        text(name),
        name in MEASURED && typeof member === 'number' ? MEASURED[name] : walk(member),
      ]),
    );
  };
  return walk(exchange) as T;
};

const firstMomentIn = (text: string): number =>
  Math.min(...[...text.matchAll(DATE_TIME)].map(([moment]) => Date.parse(moment)).filter(Number.isFinite));

const momentFor = (moment: string, first: number): string => {
  const days = Math.round((Date.parse(moment) - first) / DAY_MS);
  return new Date(EPOCH + DAY_MS / 2 + days * DAY_MS).toISOString();
};

const RANDOM = /(?<![0-9a-zA-Z+/])(?:[0-9a-f]{24,}|[0-9a-zA-Z+/]{43,}={0,2})(?![0-9a-zA-Z+/])/g;

/** A PDF, PNG or JPEG in Base64, which a request needs unchanged. */
const FILE = /^(?:JVBERi|iVBORw|\/9j\/)/;

/** Replaces hashes, sealed bytes and certificates by values of the same length and alphabet. */
const scrambled = (value: string): string =>
  value.replaceAll(RANDOM, (random) =>
    random.startsWith(UUID_BODY) || FILE.test(random)
      ? random
      : random.replaceAll(/[0-9a-zA-Z]/g, (_, at: number) => '0123456789abcdef'.charAt(at % 16)),
  );
