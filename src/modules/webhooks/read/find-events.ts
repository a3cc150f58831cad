import type { DomainEvent } from '../../../kernel/event.ts';
import type { Wanted } from '../../../platform/write-store/database.ts';
import type { SentEvent } from '../write/sent-event.ts';
import { unsentEventOf } from './envelope.ts';

/** Finds events by their ids, sent or not. Each has the body that was sent, or else the one that would be sent now. */
export type FindEvents = (wanted: readonly Wanted[]) => Promise<ReadonlyMap<string, SentEvent>>;

export const createFindEvents =
  (deps: {
    readonly findSentEvents: (wanted: readonly Wanted[]) => Promise<readonly SentEvent[]>;
    readonly findDomainEvents: (wanted: readonly Wanted[]) => Promise<readonly DomainEvent[]>;
  }): FindEvents =>
  async (wanted) => {
    const found = new Map<string, SentEvent>();
    for (const sent of await deps.findSentEvents(wanted)) found.set(sent.id, sent);
    const others = wanted.filter(({ value }) => !found.has(value));
    for (const event of others.length > 0 ? await deps.findDomainEvents(others) : []) {
      const unsent = unsentEventOf(event);
      if (unsent) found.set(unsent.id, unsent);
    }
    return found;
  };
