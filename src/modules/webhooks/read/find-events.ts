import type { DomainEvent } from '../../../kernel/event.ts';
import type { SentEvent } from '../write/sent-event.ts';
import { unsentEventOf } from './envelope.ts';

/** Events by their ids, sent or not: with the body that was sent, else with the one that would be sent now. */
export type FindEvents = (ids: readonly string[]) => Promise<ReadonlyMap<string, SentEvent>>;

export const createFindEvents =
  (deps: {
    readonly findSentEvents: (ids: readonly string[]) => Promise<readonly SentEvent[]>;
    readonly findDomainEvents: (ids: readonly string[]) => Promise<readonly DomainEvent[]>;
  }): FindEvents =>
  async (ids) => {
    const found = new Map<string, SentEvent>();
    for (const sent of await deps.findSentEvents(ids)) found.set(sent.id, sent);
    const others = ids.filter((id) => !found.has(id));
    for (const event of others.length > 0 ? await deps.findDomainEvents(others) : []) {
      const unsent = unsentEventOf(event);
      if (unsent) found.set(unsent.id, unsent);
    }
    return found;
  };
