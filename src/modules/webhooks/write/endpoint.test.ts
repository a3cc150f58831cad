import { NOW } from '../../../../test/builders.ts';
import { DAY_MS } from '../../../kernel/durations.ts';
import {
  changeEndpoint,
  deleteEndpoint,
  disableFailing,
  disableGone,
  isRecipient,
  openEndpoint,
  type WebhookEndpoint,
} from './endpoint.ts';

const settings = {
  url: 'https://a.test/',
  events: ['charge.paid'],
  enabled: true,
  description: null,
  includeSubmerchants: false,
} as const;
const owner = { livemode: false, merchantId: 'mer_1', masterId: null } as const;
const open = (takenSlots: readonly number[], random = 0): WebhookEndpoint =>
  openEndpoint(settings, owner, { id: 'whe_1', takenSlots, random }, NOW).data;
const anEndpoint = (changes: Partial<WebhookEndpoint> = {}): WebhookEndpoint => ({ ...open([]), ...changes });

const days = (count: number): Date => new Date(NOW.getTime() + count * DAY_MS);

describe('a webhook endpoint', () => {
  it('takes one of the places that are left, and there are twenty', () => {
    expect(open([0, 1, 2]).slot).toBe(3);
    expect(open([0], 0.999).slot).toBe(19);
    const all = Array.from({ length: 20 }, (_, slot) => slot);
    expect(open(all.filter((slot) => slot !== 7)).slot).toBe(7);
    expect(() => open(all)).toThrow(expect.objectContaining({ code: 'WEBHOOK_ENDPOINT_LIMIT_REACHED' }));
  });

  it('leaves its place when it is deleted', () => {
    expect(deleteEndpoint(anEndpoint(), NOW).data).toMatchObject({ slot: null, enabled: false });
  });

  it.each([
    ['only fails for five days', { failingSince: 0, at: 5 }, true],
    ['has failed for less', { failingSince: 0, at: 4.9 }, false],
    ['was enabled again since', { failingSince: -5, at: 1 }, false],
  ])('that %s is disabled: %j → %s', (_, { failingSince, at }, isDisabled) => {
    const decision = disableFailing(anEndpoint(), days(failingSince).toISOString(), days(at));
    expect(decision !== null).toBe(isDisabled);
    if (decision)
      expect(decision.data).toMatchObject({
        enabled: false,
        disabledReason: `Every delivery has failed since ${NOW.toISOString()}`,
      });
  });

  it('whose receiver is gone is disabled, unless it has moved since or is disabled already', () => {
    const { url } = anEndpoint();
    expect(disableGone(anEndpoint(), url, NOW)?.data).toMatchObject({
      enabled: false,
      enabledAt: null,
      disabledReason: 'The receiver answered 410 Gone',
    });
    expect(disableGone(anEndpoint(), 'https://moved.test/', NOW)).toBeNull();
    expect(disableGone(anEndpoint({ enabled: false }), url, NOW)).toBeNull();
  });

  it('forgets why it was disabled when it is enabled again, and not before', () => {
    const disabled = anEndpoint({ enabled: false, enabledAt: null, disabledReason: 'failed' });
    expect(changeEndpoint(disabled, { description: 'new' }, NOW).data.disabledReason).toBe('failed');
    expect(changeEndpoint(disabled, { enabled: true }, days(1)).data).toMatchObject({
      disabledReason: null,
      enabledAt: days(1).toISOString(),
    });
  });

  it.each<[string, Partial<WebhookEndpoint>, boolean]>([
    ['of its merchant', {}, true],
    ['that it did not choose', { events: ['charge.created'] }, false],
    ['of any kind', { events: ['*'] }, true],
    ['of the other environment', { livemode: true }, false],
    ['while it is disabled', { enabled: false }, false],
    ['of another merchant', { merchantId: 'mer_2' }, false],
    ['of a sub-merchant, unasked', { merchantId: 'mer_9' }, false],
    ['of a sub-merchant, as asked', { merchantId: 'mer_9', includeSubmerchants: true }, true],
    [
      'of a stranger, though it asked for sub-merchants',
      { merchantId: 'mer_2', includeSubmerchants: true },
      false,
    ],
  ])('hears of an event %s', (_, changes, expected) => {
    const event = { ...owner, masterId: 'mer_9', event: 'charge.paid' } as const;
    expect(isRecipient(anEndpoint(changes), event)).toBe(expected);
  });

  it.each([
    ['charge.settled'],
    ['refund.pending'],
    ['payout.requested'],
    ['anticipation.created'],
    ['adjustment.created'],
  ] as const)('hears of %s only where it names it', (event) => {
    const told = { ...owner, masterId: null, event };
    expect(isRecipient(anEndpoint({ events: ['*'] }), told)).toBe(false);
    expect(isRecipient(anEndpoint({ events: [event] }), told)).toBe(true);
    expect(isRecipient(anEndpoint({ events: ['*', event] }), told)).toBe(true);
    expect(isRecipient(anEndpoint({ events: ['*', event] }), { ...told, event: 'charge.paid' })).toBe(true);
  });

  it.each([
    ['account.approved', true],
    ['account.updated', true],
    ['charge.paid', false],
    ['payout.approved', false],
  ] as const)('of a master hears of %s of a sub-merchant without having asked: %s', (event, expected) => {
    const ofMaster = anEndpoint({ merchantId: 'mer_9', events: ['*'] });
    expect(isRecipient(ofMaster, { ...owner, masterId: 'mer_9', event })).toBe(expected);
    expect(isRecipient(ofMaster, { ...owner, masterId: 'mer_8', event })).toBe(false);
  });
});
