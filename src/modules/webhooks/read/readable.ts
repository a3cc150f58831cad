import type { Within } from '../../../platform/http/list.ts';
import { scopeOf } from '../../../platform/read-store/scope.ts';
import { readableEvents } from '../write/event-readers.ts';

/** The scope of lists about events: the caller sees events of resources that it may read. */
export const OF_READABLE_EVENTS: Within = ({ principal }) => [
  ...scopeOf(principal),
  { terms: { event: [...readableEvents(principal)] } },
];
