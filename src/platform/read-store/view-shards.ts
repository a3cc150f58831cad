/** Primary shards of the index of a view, by its name; undefined where an index template or the server decides. */
export type ShardsOf = (view: string) => number | undefined;

const MAX_SHARDS = 1_024;

/**
 * Reads `4`, which is for every view, or `charges=8,statement=4`, or both. Throws RangeError that says what is wrong, such
 * as a view that is not among the known ones.
 */
export const parseViewShards = (text: string, known: readonly string[]): ShardsOf => {
  const shards = new Map<string, number>();
  for (const entry of text === '' ? [] : text.split(',')) {
    const [, view = '', number] = /^(?:([a-z_-]+)=)?([1-9]\d{0,3})$/.exec(entry.trim()) ?? [];
    if (number === undefined || Number(number) > MAX_SHARDS)
      throw new RangeError(`"${entry}" is no number of shards from 1 to ${MAX_SHARDS}, and no view=number`);
    if (view !== '' && !known.includes(view))
      throw new RangeError(`there is no view ${view}; views are ${known.join(', ')}`);
    if (shards.has(view)) throw new RangeError(`${view || 'every view'} has two numbers`);
    shards.set(view, Number(number));
  }
  return (view) => shards.get(view) ?? shards.get('');
};
