import { formatMoment, formatNumber } from './format.ts';
import { t, tMember } from './words.ts';

type Leaf = readonly [path: string, text: string];
type Difference = readonly [name: string, before: string, after: string];

const INSTANT = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;

const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? t('yes') : t('no');
  if (typeof value === 'number') return formatNumber(value);
  return INSTANT.test(String(value)) ? formatMoment(String(value)) : String(value);
};

/** The values within a record, each with its path. A list of plain values is one of them. */
const leavesOf = (value: unknown, path = ''): readonly Leaf[] => {
  if (typeof value !== 'object' || value === null) return [[path, textOf(value)]];
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object'))
    return [[path, value.map(textOf).join(', ')]];
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, path ? `${path}.${name}` : name));
};

/** The path to a member in words. An item of a list is named by its number. */
const nameOf = (path: string): string =>
  path
    .split('.')
    .map((part) => (/^\d+$/.test(part) ? formatNumber(Number(part) + 1) : tMember(part)))
    .join(', ');

/** Members that every change of a record changes. */
const ALWAYS = ['version', 'updatedAt'];

/** The values of a record that a change has changed, in words, before and after it. */
export const differencesOf = (before: object | null, after: object | null): readonly Difference[] => {
  const was = new Map(before ? leavesOf(before) : []);
  const is = new Map(after ? leavesOf(after) : []);
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((path): readonly Difference[] => {
    const [from, to] = [was.get(path) ?? '', is.get(path) ?? ''];
    return from === to || ALWAYS.includes(path) ? [] : [[nameOf(path), from, to]];
  });
};
