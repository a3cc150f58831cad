import { MongoClient } from 'mongodb';
import type { DomainEvent } from '../../src/kernel/event.ts';
import type { Charge } from '../../src/modules/charges/write/charge.ts';
import { DOMAIN_EVENTS } from '../../src/platform/write-store/write-set.ts';
import { chargeIdOf, findMisbehaviour } from '../model/behaviours.ts';

/** Suites about large stores record more than this; their events are of the same kinds as those of others. */
const EVENTS_AT_MOST = 20_000;

/** Whether the program made a charge. Tests put some into the store that are paid from the beginning. */
const isBeginning = ({ type, version, data }: DomainEvent): boolean =>
  type === 'charge.created' && version === 1 && (data as Charge).status === 'pending';

/** Throws where a gateway with these variables has recorded a step that the model of charges does not know. */
export const assertStepsKnown = async (variables: Readonly<Record<string, string>>): Promise<void> => {
  const client = new MongoClient(variables.MONGODB_URI ?? '');
  try {
    const recorded = client.db(variables.MONGODB_DATABASE).collection<DomainEvent>(DOMAIN_EVENTS);
    if ((await recorded.estimatedDocumentCount()) > EVENTS_AT_MOST) return;
    const events = await recorded.find().toArray();
    const begun = new Set(events.filter(isBeginning).map(chargeIdOf));
    const unknown = findMisbehaviour(events.filter((event) => begun.has(chargeIdOf(event))));
    if (unknown.length > 0) throw new Error(`recorded, but no step of the model:\n${unknown.join('\n')}`);
  } finally {
    await client.close();
  }
};
