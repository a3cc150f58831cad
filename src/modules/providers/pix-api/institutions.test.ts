import { randomUUID } from 'node:crypto';
import { anAuthorizeRequest } from '../../../../test/builders.ts';
import { createFakeCollections } from '../../../../test/fakes/collections.ts';
import { pixSettings } from '../../../../test/support/doubles/settings.ts';
import { asInstitution, DEVIATIONS, type Deviations } from '../../../../test/support/pix-api/deviations.ts';
import { type PixInstitution, startPixInstitution } from '../../../../test/support/pix-api/institution.ts';
import { dateOfDay } from '../../../kernel/business-days.ts';
import { createHttpClient } from '../../../platform/outbound/http-client.ts';
import { readMerchantSettings } from '../accounts.ts';
import type { Connector, ConnectorDeps } from '../connector.ts';
import { connectorNamed } from '../connectors.ts';
import { pixDayOf } from '../pix/due-terms.ts';
import type { PaymentProvider, RefundRequest } from '../provider.ts';
import { createRest } from '../rest.ts';
import { INSTITUTIONS, type Institution, type InstitutionName } from './institutions.ts';
import { txidOf } from './references.ts';

type Given = Readonly<Record<string, string | undefined>>;

const SECRET = 'Zk3qT9wLr5vXn2bYc7mHd4sJf8gPa1eU';
const PUBLIC_URL = 'https://pay.example.com';
const NAMES = Object.keys(INSTITUTIONS) as readonly InstitutionName[];

const connector = (): Connector => {
  const found = connectorNamed('pix-api');
  if (!found) throw new Error('there is no connector');
  return found;
};

/** Faults by their settings. */
const faultsOf = (given: Given): readonly string[] =>
  readMerchantSettings(connector(), given, { NODE_ENV: 'production', PUBLIC_URL }).faults.map(
    ({ setting }) => setting,
  );

const HOUR = 3_600_000;
/** The time of the gateway and of institutions. */
const clock = { ahead: 0, now: () => new Date(Date.now() + clock.ahead) };

const depsOf = (given: Given): ConnectorDeps<never> => {
  const { settings, faults } = readMerchantSettings(connector(), given, { NODE_ENV: 'test', PUBLIC_URL });
  expect(faults).toEqual([]);
  return {
    name: 'pix-api',
    settings: settings as never,
    db: createFakeCollections() as never,
    clock: clock.now,
    rest: createRest(clock.now),
    timeoutMs: 20_000,
    noteUnreadable: () => undefined,
    openHttp: createHttpClient,
    publicUrl: () => PUBLIC_URL,
  };
};

/** The answer to the first request may get lost, and what the institution has taken may be shown late. */
const tryToRefund = async (
  institution: PixInstitution,
  provider: PaymentProvider,
  refund: RefundRequest,
): Promise<void> => {
  const { losesTheWay, showsLate } = institution.deviations;
  if (losesTheWay)
    await expect(provider.refund(refund, { isFirst: true })).rejects.toMatchObject({ name: 'NotShownYet' });
  if (showsLate) {
    institution.lag(true);
    institution.troubleWith((call) => (/^PUT .*devolucao/.test(call) ? 'lose' : null));
    await expect(provider.refund(refund, { isFirst: !losesTheWay })).rejects.toThrow();
    institution.troubleWith(() => null);
    expect(await provider.describeRefund(refund)).toBeNull();
    await expect(provider.refund(refund)).rejects.toMatchObject({ name: 'NotShownYet' });
    institution.lag(false);
  }
  expect(await provider.refund(refund)).toMatchObject({ status: 'refunded' });
  const given = [...institution.pixes.values()].flatMap(({ devolucoes }) => devolucoes);
  expect(given).toHaveLength(1);
};

const REST_S = 20;

/** An institution that asks for a rest hears nothing until it is over. */
const tryToRest = async (
  institution: PixInstitution,
  provider: PaymentProvider,
  payment: Parameters<PaymentProvider['authorize']>[0],
): Promise<void> => {
  if (!institution.deviations.asksForRest) return;
  let calls = 0;
  institution.troubleWith(() => {
    calls += 1;
    return { status: 429, retryAfter: REST_S };
  });
  for (const _ of ['the first', 'another']) await expect(provider.authorize(payment)).rejects.toThrow();
  expect(calls).toBe(1);
  institution.troubleWith(() => null);
  clock.ahead += (REST_S + 1) * 1_000;
};

const newId = (prefix: string): string => `${prefix}_${randomUUID().replaceAll('-', '')}`;

/** A mandate that is approved, and a charge under it that the payer's bank pays. */
const tryMandate = async (institution: PixInstitution, { mandates, ...provider }: PaymentProvider) => {
  const day = dateOfDay(pixDayOf(clock.now()) + 5);
  const request = {
    ...{ reference: newId('pm'), providerMethod: null, firstCharge: null, merchantName: 'Loja da Ana' },
    payer: { name: 'Ana', email: 'ana@example.com', document: { type: 'cpf', id: '52998224725' } },
    terms: {
      ...({ journey: 'qr', interval: 'month', retries: 'none' } as const),
      ...{ intervalCount: 1, amount: 49_90, minimumAmount: null, startDate: day, endDate: null },
      ...{ contract: 'contract-1001', description: 'Gym membership' },
    },
  };
  const mandate = (await mandates?.enroll(request))?.providerMethod ?? '';
  institution.decide(mandate, 'approve');
  const about = { headers: {}, secret: SECRET };
  const told = { ...about, body: institution.callbackAboutRecs(mandate) };
  const news = { kind: 'mandate', reference: request.reference, state: { status: 'active' } };
  expect(await provider.notificationsIn(told)).toMatchObject([news]);
  const planned = { mandate, dueDate: day, on: day, retryOf: null, askedAt: clock.now().toISOString() };
  const instrument = { type: 'pix', expiresAt: clock.now().toISOString(), planned } as const;
  const charge = { ...anAuthorizeRequest(instrument, { amount: 49_90 }), planned };
  expect(await provider.authorize(charge, { isFirst: true })).toMatchObject({ status: 'pending' });
  const before = clock.ahead;
  clock.ahead += 8 * 24 * HOUR;
  const pspRefId = institution.settle(txidOf(charge.reference));
  expect(await provider.describePayment(charge)).toMatchObject({ status: 'paid', pspRefId });
  const paid = { ...about, body: institution.callbackAboutCobrs(txidOf(charge.reference)) };
  expect(await provider.notificationsIn(paid)).toMatchObject([{ id: pspRefId, reference: charge.reference }]);
  clock.ahead = before;
};

/**
 * Everything that a gateway asks of an institution: a payment, its refund, a cancellation, a mandate, and the
 * callbacks.
 */
const tryAll = async (institution: PixInstitution, given: Given): Promise<void> => {
  const { agencia, conta, tipoConta } = institution.account;
  // An institution with fewer scopes offers no mandates.
  const offersMandates = !institution.deviations.scopes;
  const PIX_API_ACCOUNT = offersMandates ? `${agencia}/${conta}/${tipoConta}` : undefined;
  const deps = depsOf({ ...given, PIX_API_ACCOUNT, PIX_API_REGISTER_CALLBACK: 'true' });
  const provider = connector().create(deps);
  const expiresAt = new Date(Date.now() + HOUR).toISOString();
  const aPayment = () => anAuthorizeRequest({ type: 'pix', expiresAt });
  const [paid, cancelled, expired] = [aPayment(), aPayment(), aPayment()];
  await tryToRest(institution, provider, paid);
  const { copyPaste } = { copyPaste: '', ...(await provider.authorize(paid)).instructions };
  expect(copyPaste).toContain('pix.instituicao.test/qr/');
  institution.expireTokens();
  const paymentPspRefId = institution.pay(txidOf(paid.reference));
  const { amount, currency, reference: paymentReference } = paid;
  const paidAt = institution.pixes.get(paymentPspRefId)?.horario;
  expect(await provider.describePayment(paid)).toMatchObject({
    status: 'paid',
    pspRefId: paymentPspRefId,
    paidAt,
    echo: { amount, currency },
  });
  const callback = { headers: {}, secret: SECRET, body: institution.callbackAbout(paymentPspRefId) };
  expect(await provider.notificationsIn(callback)).toMatchObject([
    { kind: 'payment', id: paymentPspRefId, reference: paymentReference, amount },
  ]);
  const refund: RefundRequest = {
    amount,
    currency,
    reference: newId('ref'),
    paymentReference,
    paymentPspRefId,
    openedAt: new Date().toISOString(),
  };
  await tryToRefund(institution, provider, refund);
  expect(await provider.describeRefund(refund)).toMatchObject({ status: 'refunded' });
  await provider.authorize(cancelled);
  expect(await provider.cancel(cancelled)).toMatchObject({ status: 'failed', failureReason: 'cancelled' });
  for (const trial of institution.deviations.triesWith ?? []) {
    const delivery = { ...callback, body: Buffer.from(JSON.stringify(trial)) };
    expect([await provider.verify(delivery), await provider.notificationsIn(delivery)]).toEqual([true, []]);
  }
  if (offersMandates) await tryMandate(institution, provider);
  await provider.authorize(expired);
  clock.ahead = 2 * HOUR;
  expect(await provider.cancel(expired)).toMatchObject({ status: 'failed', failureReason: 'expired' });
  await connector().prepare?.(deps)?.();
  expect(institution.webhookUrl()).toBe(`${PUBLIC_URL}/v1/providers/pix-api/notifications/${SECRET}`);
};

const withInstitution = async (
  deviations: Deviations,
  work: (institution: PixInstitution) => Promise<void>,
): Promise<void> => {
  const institution = await startPixInstitution(clock.now, deviations);
  clock.ahead = 0;
  try {
    await work(institution);
    expect(institution.ownFaults).toEqual([]);
  } finally {
    await institution.stop();
  }
};

describe('an institution', () => {
  it.each(DEVIATIONS)('that $name is connected by $settings', async ({ is, settings: own }) => {
    await withInstitution(is, async (institution) => {
      const settings = Object.fromEntries(
        Object.entries(own).map(([name, value]) => [name, value.replaceAll('$URL', institution.origin)]),
      );
      const usual: Given = pixSettings(institution, SECRET);
      await tryAll(institution, { ...usual, ...settings });
      if (Object.keys(own).length === 0) return;
      // The deviation counts: without the settings the account is of no use.
      await expect(tryAll(institution, usual)).rejects.toThrow();
    });
  });

  it.each(NAMES)('is connected by its profile: %s', async (name) => {
    await withInstitution(asInstitution(name), async (institution) => {
      const profile: Institution = INSTITUTIONS[name];
      const onDouble = (address: string): string => `${institution.origin}${new URL(address).pathname}`;
      const addresses = Object.entries(profile.addresses ?? {}).map(
        ([of, address]) => `${of}=${onDouble(address)}`,
      );
      await tryAll(institution, {
        ...pixSettings(institution, SECRET),
        PIX_API_PROFILE: name,
        PIX_API_URL: onDouble(profile.url),
        PIX_API_TOKEN_URL: onDouble(profile.tokenUrl),
        ...(addresses.length > 0 ? { PIX_API_ADDRESSES: addresses.join('&') } : {}),
        ...(profile.needs ? { PIX_API_QUERY: 'gw-dev-app-key=the-key-of-the-application' } : {}),
      });
    });
  });

  it('has a single setting in place of what its profile says', async () => {
    await withInstitution(
      { ...asInstitution('efi'), headers: { 'x-skip-mtls-checking': /^false$/ } },
      (own) =>
        tryAll(own, {
          ...pixSettings(own, SECRET),
          PIX_API_PROFILE: 'efi',
          PIX_API_HEADERS: 'X-Skip-MTLS-Checking=false',
        }),
    );
  });
});

describe('settings of a profile', () => {
  const common = {
    PIX_API_CLIENT_ID: 'loja',
    PIX_API_KEY: '7d9f0335-8dcc-4054-9bf9-0dbd61d36906',
    PIX_API_CALLBACK_SECRET: SECRET,
  };
  const certificate = ['PIX_API_CERT'];

  it.each<[string, Given, readonly string[]]>([
    ['efi', { PIX_API_CLIENT_SECRET: 'secret' }, []],
    ['efi', {}, ['PIX_API_CLIENT_SECRET']],
    ['sicoob', {}, []],
    ['sicoob', { PIX_API_TOKEN_AUTH: 'form' }, ['PIX_API_CLIENT_SECRET']],
    ['bb', { PIX_API_CLIENT_SECRET: 'secret' }, ['PIX_API_QUERY']],
    ['bb', { PIX_API_CLIENT_SECRET: 'secret', PIX_API_QUERY: 'gw-dev-app-key=key' }, []],
  ])('are no more than %s needs beside the certificate: %j', (name, given, missing) => {
    const faults = faultsOf({ ...common, PIX_API_PROFILE: name, ...given });
    expect([...faults].sort()).toEqual([...missing, ...certificate].sort());
  });

  it.each<[string, string]>([
    ['PIX_API_PROFILE', 'nubank'],
    ['PIX_API_TOKEN_AUTH', 'digest'],
    ['PIX_API_TOKEN_QUERY', '='],
    ['PIX_API_SCOPES', 'cob.write,cob.read'],
    ['PIX_API_HEADERS', 'a name=value'],
    ['PIX_API_HEADERS', 'name=two%0D%0Alines'],
    ['PIX_API_QUERY', 'a%26b=1'],
    ['PIX_API_ADDRESSES', 'boleto=https://pix.example.com'],
    ['PIX_API_ADDRESSES', 'DELETE cob=https://pix.example.com'],
    ['PIX_API_ADDRESSES', 'cob=http://pix.example.com'],
    ['PIX_API_ADDRESSES', 'cob=http://127.0.0.1:9'],
    ['PIX_API_ADDRESSES', 'cob=https://user:secret@pix.example.com'],
  ])('are refused: %s=%s', (setting, value) => {
    expect(faultsOf({ ...common, PIX_API_PROFILE: 'sicoob', [setting]: value })).toContain(setting);
  });

  it('lead to addresses with https', () => {
    const all: readonly Institution[] = Object.values(INSTITUTIONS);
    for (const { url, tokenUrl, addresses } of all)
      for (const address of [url, tokenUrl, ...Object.values(addresses ?? {})])
        expect(new URL(address).protocol).toBe('https:');
  });
});
