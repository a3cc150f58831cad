import { createFakeProvider } from '../../../../test/fakes/provider.ts';
import { systemContext } from '../../../kernel/event.ts';
import type { Delivery, PaymentProvider, ProviderNotification } from '../../providers/provider.ts';
import { createReceiveDelivery } from './receive-notification.ts';

const DELIVERY: Delivery = { headers: {}, secret: null, body: Buffer.from('{}') };
const about = (id: string): ProviderNotification => ({ id, livemode: true, kind: 'other', type: 'news' });

const setUp = (changes: Partial<PaymentProvider>, failing: readonly string[] = []) => {
  const provider = { ...createFakeProvider(), verify: async () => true, ...changes };
  const takenIn: string[] = [];
  const receive = createReceiveDelivery({
    providerNamed: async (name) => (name === 'fake' ? provider : null),
    accountOfNews: async () => null,
    takeIn: async ({ notification }) => {
      takenIn.push(notification.id);
      if (failing.includes(notification.id)) throw new Error(`${notification.id} failed`);
    },
  });
  /** The status of the answer; 500 for an error that would not be an answer of its own. */
  const run = (name = 'fake') =>
    receive({ provider: name, delivery: DELIVERY }, systemContext('test')).then(
      () => 200,
      (error: { readonly statusCode?: number }) => error.statusCode ?? 500,
    );
  return { run, takenIn };
};

describe('a delivery of a provider', () => {
  it('is not read unless the provider knows it for its own', async () => {
    const notificationsIn = jest.fn(async () => [about('1')]);
    const { run, takenIn } = setUp({ verify: async () => false, notificationsIn });
    expect(await run()).toBe(401);
    expect(notificationsIn).not.toHaveBeenCalled();
    expect(takenIn).toEqual([]);
    expect(await run('nobody')).toBe(404);
  });

  it('has each of its notifications processed, and none of an empty one', async () => {
    const { run, takenIn } = setUp({ notificationsIn: async () => [about('1'), about('2')] });
    expect(await run()).toBe(200);
    expect(takenIn).toEqual(['1', '2']);
    expect(await setUp({ notificationsIn: async () => [] }).run()).toBe(200);
  });

  it('is refused where it holds no notification', async () => {
    expect(await setUp({ notificationsIn: async () => null }).run()).toBe(400);
  });

  it('is not acknowledged while the provider does not confirm one, and the others are processed', async () => {
    const { run, takenIn } = setUp({
      notificationsIn: async () => [{ kind: 'unconfirmed', id: '1' }, about('2')],
    });
    expect(await run()).toBe(503);
    expect(takenIn).toEqual(['2']);
    const unreachable = setUp({ notificationsIn: async () => Promise.reject(new Error('connection reset')) });
    expect(await unreachable.run()).toBe(503);
  });

  it('is not acknowledged where one could not be processed, and the others are', async () => {
    const { run, takenIn } = setUp({ notificationsIn: async () => [about('1'), about('2')] }, ['1']);
    expect(await run()).toBe(500);
    expect(takenIn).toEqual(['1', '2']);
  });

  const news = (reference: string, state: string): ProviderNotification => ({
    ...{ id: `${reference} ${state}`, livemode: true, kind: 'fraud_warning', pspRefId: state, reference },
    ...{ amount: 1, currency: 'BRL' },
  });
  const receivedBy = async (changes: Partial<PaymentProvider>) => {
    const takenIn: unknown[] = [];
    const one = { ...createFakeProvider(), name: 'one', verify: async () => true };
    const other = { ...createFakeProvider(), name: 'other', ...changes };
    const receive = createReceiveDelivery({
      providerNamed: async (name) =>
        name === 'other'
          ? { ...other, notificationsIn: async () => [news('mine', 'by other'), news('theirs', 'by other')] }
          : {
              ...{ ...one, asksBack: true },
              notificationsIn: async () => [news('mine', 'by one'), news('theirs', 'by one')],
            },
      accountOfNews: async (told) => (told.kind !== 'other' && told.reference === 'theirs' ? 'other' : 'one'),
      takeIn: async ({ provider, notification }) => void takenIn.push([provider, notification.id]),
    });
    await receive({ provider: 'one', delivery: DELIVERY }, systemContext('test'));
    return takenIn;
  };

  it('about another account of the receiver counts as that account says when it is asked', async () => {
    expect(await receivedBy({ asksBack: true })).toEqual([
      ['one', 'mine by one'],
      ['other', 'theirs by other'],
    ]);
  });

  it('is never read for another account whose notifications prove themselves', async () => {
    expect(await receivedBy({})).toEqual([
      ['one', 'mine by one'],
      ['one', 'theirs by one'],
    ]);
  });
});
