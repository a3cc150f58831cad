import { readFileSync } from 'node:fs';

/** A value of a state in the Informal Trace Format, with sets and maps as those of this language. */
const plain = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  if ('#bigint' in value) return Number(value['#bigint']);
  if ('#set' in value && Array.isArray(value['#set'])) return value['#set'].map(plain);
  if ('#map' in value && Array.isArray(value['#map']))
    return new Map(value['#map'].map(([name, one]) => [plain(name), plain(one)]));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one)]));
};

/** The states of a trace that Quint has written. `State` is what its specification declares. */
export const readTrace = <State>(file: string): readonly State[] => {
  const { states } = JSON.parse(readFileSync(file, 'utf8'));
  return states.map(plain);
};
