/** A line of two texts: in both, only in the first, or only in the second. */
export type DiffLine = { readonly kind: 'same' | 'gone' | 'new'; readonly text: string };

/** JSON with one member a line, so that a difference names the member; any other text as it is. */
export const pretty = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

/** Lengths of the longest common parts of the ends of two lists that begin at each pair of places. */
const commonEnds = (before: readonly string[], after: readonly string[]): readonly (readonly number[])[] => {
  const lengths = Array.from({ length: before.length + 1 }, () => Array<number>(after.length + 1).fill(0));
  for (let i = before.length - 1; i >= 0; i -= 1)
    for (let j = after.length - 1; j >= 0; j -= 1) {
      const row = lengths[i];
      if (!row) continue;
      row[j] =
        before[i] === after[j]
          ? (lengths[i + 1]?.[j + 1] ?? 0) + 1
          : Math.max(lengths[i + 1]?.[j] ?? 0, row[j + 1] ?? 0);
    }
  return lengths;
};

/** The lines of two texts in one list, with as few differences as there can be. */
export const diffLines = (before: string, after: string): readonly DiffLine[] => {
  const first = before.split('\n');
  const second = after.split('\n');
  const common = commonEnds(first, second);
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < first.length || j < second.length) {
    const isSame = i < first.length && j < second.length && first[i] === second[j];
    const isGone = j >= second.length || (common[i + 1]?.[j] ?? -1) >= (common[i]?.[j + 1] ?? -1);
    if (isSame) {
      lines.push({ kind: 'same', text: first[i] ?? '' });
      i += 1;
      j += 1;
    } else if (i < first.length && isGone) {
      lines.push({ kind: 'gone', text: first[i] ?? '' });
      i += 1;
    } else {
      lines.push({ kind: 'new', text: second[j] ?? '' });
      j += 1;
    }
  }
  return lines;
};
