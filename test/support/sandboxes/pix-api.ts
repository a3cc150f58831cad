import type { Delivery, Instrument } from '../../../src/modules/providers/provider.ts';
import { anAuthorizeRequest } from '../../builders.ts';
import type { ProviderUnderTest } from '../conformance.ts';
import { openSandbox, type Variables } from './sandbox.ts';

const HOUR_MS = 3_600_000;

/** An institution's sandbox, with the settings `PIX_API_…`. Nobody can play payers there. */
export const openPixSandbox = (variables: Variables): ProviderUnderTest => {
  const sandbox = openSandbox('pix-api', variables);
  const [secret = ''] = String(sandbox.settings.PIX_API_CALLBACK_SECRET).split(',');
  const byPix = (): Instrument => ({
    type: 'pix',
    expiresAt: new Date(Date.now() + HOUR_MS).toISOString() as never,
  });
  /** A callback about a Pix that never existed, because no payer can pay here. */
  const callback = (): Delivery => ({
    headers: {},
    secret,
    body: Buffer.from(JSON.stringify({ pix: [{ endToEndId: `E${'7'.repeat(31)}` }] })),
  });
  const nobody = () => Promise.reject(new Error('nobody plays the payer'));
  return {
    ...sandbox,
    provider: sandbox.connect(),
    restart: sandbox.connect,
    livemode: true,
    amounts: [
      { amount: 1, currency: 'BRL' },
      { amount: 150_75, currency: 'BRL' },
    ],
    pays: byPix(),
    refuses: null,
    waits: byPix(),
    methods: [byPix()],
    pay: nobody,
    async authorizeUnanswered() {
      const payment = anAuthorizeRequest(byPix());
      // The first request asks for a token.
      sandbox.wire.troubleWith((request) => (request === 1 ? 'lose' : null));
      await expect(sandbox.connect().authorize(payment)).rejects.toThrow();
      sandbox.wire.troubleWith(() => null);
      return payment;
    },
    deliveries: {
      about: async () => [callback()],
      aboutRefund: nobody,
      chargedBack: nobody,
      other: null,
      forged: (genuine) => [
        { ...genuine, secret: `${secret}x` },
        { ...genuine, secret: secret.slice(1) },
        { ...genuine, secret: null },
      ],
    },
  };
};
