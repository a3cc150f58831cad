import { refusal } from '../../kernel/errors.ts';

/** Bytes that a page may have with members that lists leave out. */
export const EXPANDED_BYTES = 1_000_000;

/** Never a shorter page instead: whoever goes on by page numbers would miss the rest. */
export const pageTooLarge = refusal(
  'PAGE_TOO_LARGE',
  'The page would have more than 1 MB: ask for a smaller size',
);

/** The page itself, unless it is too large; 422 PAGE_TOO_LARGE. */
export const withinBytes = <T>(page: readonly T[], limit = EXPANDED_BYTES): readonly T[] => {
  if (Buffer.byteLength(JSON.stringify(page)) > limit) throw pageTooLarge();
  return page;
};
