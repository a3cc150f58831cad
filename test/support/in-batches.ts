/** Does the work for each item in the order of the items, this many at once. */
export const inBatches = async <T>(
  items: readonly T[],
  size: number,
  work: (item: T) => Promise<void>,
): Promise<void> => {
  for (let start = 0; start < items.length; start += size)
    await Promise.all(items.slice(start, start + size).map(work));
};
