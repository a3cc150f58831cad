import type { Id } from '../../kernel/ids.ts';
import { sampleOf } from './read/sample.ts';
import { webhookBodies } from './sent-bodies.schemas.ts';
import { SENT_NAMES, WEBHOOK_EVENTS } from './write/event-kinds.ts';

const recipient = { merchantId: 'mer_01a1fe9cad9175e79603dda268ed6486' as const, livemode: false };
const id: Id<'evt'> = 'evt_01a1fe9cad9175e79603dda268ed6486';

const schemaOf = (name: string) => webhookBodies.find((one) => one.name === name)?.body;

describe('bodies of webhooks', () => {
  it('are described for every event that is sent', () => {
    expect(webhookBodies.map(({ name }) => name)).toEqual([...SENT_NAMES]);
  });

  it.each(WEBHOOK_EVENTS)('have the form of the document: %s', (event) => {
    const { body } = sampleOf(recipient as never, event, id as never, new Date('2026-11-01T12:00:00Z'));
    expect(schemaOf(event)?.validate(JSON.parse(body), { convert: false }).error).toBeUndefined();
  });

  it('of another kind do not have it', () => {
    const { body } = sampleOf(recipient as never, 'charge.paid', id as never, new Date());
    expect(schemaOf('refund.failed')?.validate(JSON.parse(body)).error).toBeDefined();
  });
});
