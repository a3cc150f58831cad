import { createFakeLogger } from '../../../test/fakes/logger.ts';
import { pixSettings } from '../../../test/support/doubles/settings.ts';
import { type PixInstitution, startPixInstitution } from '../../../test/support/pix-api/institution.ts';
import type { Words } from '../../../test/support/pix-api/words.ts';
import { newId } from '../../kernel/ids.ts';
import { createMetrics } from '../../platform/metrics.ts';
import { createHttpClient } from '../../platform/outbound/http-client.ts';
import { createOpenAccount } from './configured.ts';
import { txidOf } from './pix-api/references.ts';
import type { PaymentProvider } from './provider.ts';
import { createProviderHealth } from './provider-health.ts';

const HOUR = 3_600_000;
const SECRET = 'Zk3qT9wLr5vXn2bYc7mHd4sJf8gPa1eU';

const institutions: PixInstitution[] = [];
const institutionThat = async (words?: Words): Promise<PixInstitution> => {
  const started = await startPixInstitution(undefined, words ? { words } : {});
  institutions.push(started);
  return started;
};
afterAll(async () => {
  for (const one of institutions) await one.stop();
});

/** Accounts of one process, with the metrics that it shows. */
const aProcess = () => {
  const metrics = createMetrics();
  const { logger, lines } = createFakeLogger();
  const openAccount = createOpenAccount({
    db: { collection: () => ({ findOne: async () => null }) } as never,
    clock: () => new Date(),
    options: {
      ...{ environment: 'test', liveRoutes: [], liveProvider: null, accounts: [] },
      timeoutMs: 20_000,
      publicUrl: () => 'https://pay.example.test',
      configuredUrl: null,
      createHttpClient,
    },
    guardRules: { allowLoopback: true, requireHttps: false },
    metrics,
    logger,
    providerCalls: { note: () => undefined },
    providerHealth: createProviderHealth({ metrics, clock: () => new Date() }),
  });
  const open = (name: string, label: string, settings: object): PaymentProvider => {
    const opened = openAccount({ name, connector: 'pix-api', settings: { ...settings } }, label);
    if (!opened) throw new Error('no account');
    return opened;
  };
  const valuesOf = async (name: string) =>
    (await metrics.registry.getMetricsAsJSON()).find((one) => one.name === name)?.values ?? [];
  return { open, lines, valuesOf, shown: () => metrics.registry.metrics() };
};

const order = () => ({ reference: newId('chg'), amount: 100_00, currency: 'BRL' });

describe('the certificate that an account shows', () => {
  it('has its end in the metrics once it was shown, and that of the first one among many accounts', async () => {
    const institution = await institutionThat();
    const { open, valuesOf } = aProcess();
    const endsAt = async () =>
      (await valuesOf('portico_provider_certificate_expires_timestamp_seconds')).map(({ labels, value }) => [
        labels.provider,
        Number(value) * 1_000,
      ]);
    const inSeconds = Math.floor(Date.now() / 1_000) * 1_000;
    const settingsUntil = (at: Date) => {
      const { certificate, privateKey } = institution.issueClient(institution.client.id, at);
      return { ...pixSettings(institution, SECRET), PIX_API_CERT: certificate, PIX_API_CERT_KEY: privateKey };
    };
    const inHours = (hours: number): Date => new Date(inSeconds + hours * HOUR);
    const own = open('pix-api', 'pix-api', settingsUntil(inHours(40)));
    expect(await endsAt()).toEqual([]);
    await own.describePayment(order());
    expect(await endsAt()).toEqual([['pix-api', inHours(40).getTime()]]);
    await open('pix-api.pac_1', 'pix-api', settingsUntil(inHours(20))).describePayment(order());
    await open('pix-api.pac_2', 'pix-api', settingsUntil(inHours(30))).describePayment(order());
    expect(await endsAt()).toEqual([['pix-api', inHours(20).getTime()]]);
  });
});

describe('a part of an answer that nobody can read', () => {
  /** A second return, about which nothing is said. */
  const withRiddle: Words = (members) =>
    Array.isArray(members.devolucoes)
      ? { ...members, devolucoes: [...members.devolucoes, { id: 'D1' }] }
      : members;

  it('is counted and logged, and the rest of what was said with it counts', async () => {
    const institution = await institutionThat(withRiddle);
    const { open, lines, shown } = aProcess();
    const provider = open('pix-api', 'pix-api', pixSettings(institution, SECRET));
    const counted = async (): Promise<readonly string[]> =>
      (await shown()).split('\n').filter((line) => /_count.*unknown_status/.test(line));
    const expiresAt = new Date(Date.now() + HOUR).toISOString();
    const payment = {
      ...order(),
      merchantName: 'Loja da Ana',
      merchantTimeZone: 'America/Sao_Paulo',
      payer: { name: 'Ana Souza', email: 'ana@example.com', document: null },
      instrument: { type: 'pix' as const, expiresAt },
      returnUrl: null,
    };
    await provider.authorize(payment);
    const endToEndId = institution.pay(txidOf(payment.reference));
    expect(await counted()).toEqual([]);
    institution.takeBack(endToEndId, 1);
    expect(await provider.describePayment(payment)).toMatchObject({ status: 'paid', pspRefId: endToEndId });
    const labels = 'provider="pix-api",operation="read",outcome="unknown_status"';
    expect(await counted()).toEqual([`portico_provider_call_seconds_count{${labels}} 1`]);
    expect(lines).toContain('error the provider says something that nobody can read');
  });
});
