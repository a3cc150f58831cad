import { anEndpoint, anOperatorPrincipal, aSentEvent, NOW } from '../../../../test/builders.ts';
import { createFakeWriteStore } from '../../../../test/fakes/write-store.ts';
import { systemContext } from '../../../kernel/event.ts';
import { deliveryToEndpoint } from './delivery.ts';
import { WEBHOOK_ENDPOINTS } from './endpoint.ts';
import { createRecoverEndpoint } from './send-again.ts';

describe('recovering what an endpoint missed', () => {
  it('ends after two seconds however much there is, and says that more is left', async () => {
    const writeStore = createFakeWriteStore();
    const endpoint = anEndpoint();
    writeStore.put(WEBHOOK_ENDPOINTS, endpoint);
    const failed = { ...deliveryToEndpoint(aSentEvent(), endpoint, NOW), status: 'failed' as const };
    const recover = createRecoverEndpoint({
      transact: writeStore.transact,
      clock: () => NOW,
      store: {
        findFailed: async () => {
          await new Promise((resolve) => setTimeout(resolve, 100));
          return [failed];
        },
        change: async (_, changes) => changes.map(({ next }) => next),
        knownDeliveries: async () => new Set(),
      },
      findEventsFor: async () =>
        (async function* () {
          yield [aSentEvent()];
        })(),
      days: null,
    });
    const principal = anOperatorPrincipal();
    const recovered = await recover(
      { id: endpoint.id, since: NOW.toISOString(), principal },
      systemContext('test'),
    );
    expect(recovered).toMatchObject({ missed: 0, complete: false });
    expect(recovered.resent).toBeGreaterThan(5);
  });
});
