import type { Timestamp } from '../../../kernel/clock.ts';
import type { Id } from '../../../kernel/ids.ts';

export type SavedViewId = Id<'viw'>;

/** How a user left a list of the panel: the filters, order and columns of its address, under a name. */
export type SavedView = {
  readonly id: SavedViewId;
  readonly screen: string;
  /** Null for the columns that the user chose last, which the list shows without being asked. */
  readonly name: string | null;
  readonly query: string;
  readonly updatedAt: Timestamp;
};

/** Far more than anybody keeps in sight, and few enough to be read at once. */
export const MOST_VIEWS = 100;
