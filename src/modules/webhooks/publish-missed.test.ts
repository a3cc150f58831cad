import { anEndpoint, aPaidCharge, aSentEvent, NOW } from '../../../test/builders.ts';
import { createFakeTime } from '../../../test/fakes/environment-time.ts';
import type { DomainEvent } from '../../kernel/event.ts';
import { type OutboxRow, outboxRow } from '../../platform/write-store/outbox.ts';
import { withoutCustomer } from '../erasure/write/erasure.ts';
import type { Committed } from './publish-events.ts';
import { createPublishMissed } from './publish-missed.ts';
import { sentEventOf } from './read/envelope.ts';
import type { WebhookEndpoint } from './write/endpoint.ts';
import { NOUGHTS, type SentEvent } from './write/sent-event.ts';

const PAID: DomainEvent = {
  id: 'evt_019a8b2c3d4e7f00912345678900abcd',
  type: 'charge.paid',
  resource: 'charge',
  resourceId: 'chg_1',
  version: 2,
  at: NOW.toISOString(),
  actor: { kind: 'system', id: 'test' },
  requestId: 'test',
  data: aPaidCharge(),
};
const row = (subject = PAID.id, endpoint = 'whe_1'): OutboxRow =>
  outboxRow('webhooks-recovery', subject, endpoint, 'commit', NOW);

/** Handles rows while these endpoints exist. `meanwhile` is the domain event as it stands when bodies are frozen. */
const run = async (
  rows: readonly OutboxRow[],
  given: {
    readonly endpoints?: readonly WebhookEndpoint[];
    readonly event?: SentEvent | null;
    readonly meanwhile?: DomainEvent;
  } = {},
) => {
  const event = given.event === undefined ? sentEventOf(PAID, 'charge.paid') : given.event;
  const stored: Committed[] = [];
  const bodies: string[] = [];
  const woken: string[] = [];
  const failures = await createPublishMissed({
    findEvents: async (wanted) =>
      new Map(event && wanted.some(({ value }) => value === event.id) ? [[event.id, event]] : []),
    store: {
      findDomainEvents: async () => [given.meanwhile ?? PAID],
      findEndpoints: async () => given.endpoints ?? [anEndpoint(), anEndpoint({ id: 'whe_2' })],
      storePlanned: async (planned) => {
        stored.push(...planned);
        bodies.push(...planned.map(({ sent }) => sent.body));
      },
      rewriteBodies: async (_, rewrite) => {
        bodies.splice(0, bodies.length, ...bodies.map(rewrite));
      },
    },
    wake: async (queues) => void woken.push(...queues),
    time: createFakeTime(),
  })(rows);
  expect(failures).toEqual([]);
  const targets = stored.flatMap(({ deliveries }) => deliveries.map(({ endpointId }) => endpointId));
  return { stored, bodies, woken, targets };
};

describe('events that an endpoint missed', () => {
  it('goes to that endpoint and to no other that wants the same', async () => {
    const { targets, woken, stored } = await run([row(PAID.id, 'whe_2')]);
    expect([targets, woken]).toEqual([['whe_2'], ['whe_2']]);
    expect(stored).toMatchObject([{ commit: 'commit', isListed: true, sent: { id: PAID.id } }]);
  });

  it.each<[string, Parameters<typeof run>[1]]>([
    ['to an endpoint that is disabled again', { endpoints: [anEndpoint({ enabled: false })] }],
    ['to one that is gone', { endpoints: [] }],
    ['to one that wants others now', { endpoints: [anEndpoint({ events: ['charge.created'] })] }],
    ['of an event that is no longer kept', { event: null }],
    ['of a sample', { event: aSentEvent({ id: PAID.id as SentEvent['id'], resourceId: `chg_${NOUGHTS}` }) }],
    [
      'of what only postbacks are told',
      { event: aSentEvent({ id: PAID.id as SentEvent['id'], event: 'charge.updated' }) },
    ],
  ])('is nothing %s', async (_, given) => {
    expect((await run([row()], given)).stored).toEqual([]);
  });

  it('is frozen without a customer who was erased in between', async () => {
    const before = await run([row()]);
    expect(before.bodies.join()).toContain('Ana Souza');
    const erased = await run([row()], { meanwhile: { ...PAID, data: withoutCustomer(aPaidCharge()) } });
    expect(erased.bodies).toHaveLength(1);
    expect(erased.bodies.join()).not.toMatch(/Ana|ana@/);
  });
});
