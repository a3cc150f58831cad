/**
 * The number of primary shards of a view's index, by the view's name; undefined where an index template or the server
 * decides.
 */
export type ShardsOf = (view: string) => number | undefined;

/** The numbers of primary shards that a setting gives, and the views that it names. */
export type ViewShards = { readonly of: ShardsOf; readonly named: readonly string[] };

const MAX_SHARDS = 1_024;

/**
 * Reads `4`, which applies to every view, `charges=8,statement=4`, or both. Throws a RangeError that says what is
 * wrong, such as an unknown view.
 */
export const parseViewShards = (text: string): ViewShards => {
  const shards = new Map<string, number>();
  for (const entry of text === '' ? [] : text.split(',')) {
    const [, view = '', number] = /^(?:([a-z_-]+)=)?([1-9]\d{0,3})$/.exec(entry.trim()) ?? [];
    if (number === undefined || Number(number) > MAX_SHARDS)
      throw new RangeError(`"${entry}" is no number of shards from 1 to ${MAX_SHARDS}, and no view=number`);
    if (shards.has(view)) throw new RangeError(`${view || 'every view'} has two numbers`);
    shards.set(view, Number(number));
  }
  return {
    of: (view) => shards.get(view) ?? shards.get(''),
    named: [...shards.keys()].filter((view) => view !== ''),
  };
};
