import { refusal } from '../../kernel/errors.ts';

/** The most bytes of a page whose rows contain bodies or the answers of receivers. */
export const BODIES_BYTES = 2_000_000;
/** The most bytes of a page with members that lists leave out. */
export const EXPANDED_BYTES = 1_000_000;

/** The page is not shortened instead, because a client that goes on by page numbers would miss the rest. */
export const pageTooLarge = refusal(
  'PAGE_TOO_LARGE',
  'The page would have too many bytes: ask for a smaller size',
);

/** The page itself, unless it is too large; 422 PAGE_TOO_LARGE. */
export const withinBytes = <T>(page: readonly T[]): readonly T[] => {
  if (Buffer.byteLength(JSON.stringify(page)) > EXPANDED_BYTES) throw pageTooLarge();
  return page;
};
