import { aMaskedCard, later, NOW } from '../../../../test/builders.ts';
import { aStoredState } from '../../../../test/fakes/provider.ts';
import type { StoredState } from '../../providers/provider.ts';
import {
  applyStoredState,
  assertChargeable,
  expire,
  followCharge,
  forgetHolder,
  openMethod,
  openWithCharge,
  revokeMethod,
  type StoredMethod,
} from './stored-method.ts';

const FACTS = {
  id: 'pm_1',
  merchantId: 'mer_1',
  masterId: null,
  livemode: true,
  customerId: 'cus_1',
  card: aMaskedCard,
  provider: 'stripe',
  providerCustomer: null,
} as const;
const GRACE_MS = 15_000;
const open = (consentAt: string | null = NOW.toISOString()) => openMethod(FACTS, consentAt, NOW, GRACE_MS);
const aMethod = (changes: Partial<StoredMethod> = {}): StoredMethod => ({
  ...open().data,
  version: 1,
  ...changes,
});
const anActive = (changes: Partial<StoredMethod> = {}): StoredMethod => ({
  ...aMethod(),
  ...applyStoredState(aMethod(), aStoredState(), NOW)?.data,
  ...changes,
});
const apply = (method: StoredMethod, state: Partial<StoredState>) =>
  applyStoredState(method, aStoredState(state), later(60));

describe('a new payment method', () => {
  it('waits for the provider, which is asked after a while without an answer', () => {
    expect(open()).toMatchObject({
      type: 'payment_method.created',
      data: { status: 'pending', providerMethod: null, reconcileAt: later(15).toISOString() },
    });
  });

  it('needs consent that was given, with a minute for the clock of the merchant', () => {
    expect(() => open(null)).toThrow(expect.objectContaining({ code: 'PAYMENT_METHOD_CONSENT_MISSING' }));
    expect(open('2020-01-31T12:00:00+03:00').data.consentAt).toBe('2020-01-31T09:00:00.000Z');
    expect(open(later(59).toISOString()).data.consentAt).toBe(later(59).toISOString());
    expect(() => open(later(61).toISOString())).toThrow(expect.objectContaining({ statusCode: 400 }));
  });
});

describe('a card that is kept with a charge', () => {
  const kept = (changes: Partial<StoredMethod> = {}): StoredMethod => ({
    ...openWithCharge(FACTS, 'chg_1', NOW).data,
    version: 1,
    ...changes,
  });
  const follow = (method: StoredMethod, status: string) =>
    followCharge(method, { status, pspRefId: 'pi_1' }, later(60));

  it('waits for the charge, with the consent of that moment', () => {
    expect(kept()).toMatchObject({
      status: 'pending',
      chargeId: 'chg_1',
      consentAt: NOW.toISOString(),
      reconcileAt: null,
    });
    for (const status of ['pending', 'in_analysis', 'authentication_required', 'refunded'])
      expect(follow(kept(), status)).toBeNull();
  });

  it('is asked for at the provider once the charge is paid, and once only', () => {
    const paid = follow(kept(), 'paid');
    expect(paid?.data).toMatchObject({ payment: 'pi_1', reconcileAt: later(60).toISOString() });
    expect(follow(paid?.data ?? kept(), 'paid')).toBeNull();
  });

  it('is not kept where the charge is not paid', () => {
    expect(follow(kept(), 'refused')?.data).toMatchObject({
      status: 'failed',
      failureReason: 'charge_refused',
    });
    expect(follow(kept(), 'failed')?.data).toMatchObject({
      status: 'failed',
      failureReason: 'charge_failed',
    });
  });

  it('is forgotten at the provider where it was revoked before the charge was paid', () => {
    const revoked = kept({ status: 'revoked' });
    expect(follow(revoked, 'paid')?.data).toMatchObject({ status: 'revoked', payment: 'pi_1' });
    expect(follow(revoked, 'refused')).toBeNull();
    expect(follow(kept({ status: 'active', payment: 'pi_1' }), 'paid')).toBeNull();
  });
});

describe('the state of a stored card at the provider', () => {
  it('makes a method active until the end of the month on its card, where that comes last on earth', () => {
    expect(apply(aMethod(), {})).toMatchObject({
      type: 'payment_method.active',
      data: {
        status: 'active',
        providerMethod: 'method_1',
        providerCustomer: 'holder_1',
        networkTransactionId: 'network_1',
        reconcileAt: '2040-01-01T12:00:00.000Z',
      },
    });
  });

  it('waits for the holder with an address, and is active or failed once he has been there', () => {
    const authenticationUrl = 'https://bank.example/3ds';
    const waiting = apply(aMethod(), { status: 'pending', authenticationUrl, providerMethod: null });
    expect(waiting).toMatchObject({
      type: 'payment_method.pending',
      data: { authenticationUrl, reconcileAt: later(120).toISOString() },
    });
    const method = waiting?.data ?? aMethod();
    expect(apply(method, { status: 'pending', authenticationUrl })).toBeNull();
    expect(apply(method, {})?.data).toMatchObject({ status: 'active', authenticationUrl: null });
    expect(apply(method, { status: 'failed', failureReason: 'card_declined' })).toMatchObject({
      type: 'payment_method.failed',
      data: {
        status: 'failed',
        failureReason: 'card_declined',
        authenticationUrl: null,
        reconcileAt: null,
      },
    });
  });

  it('replaces a card as its network did, once, also of one that had expired', () => {
    const card = { lastFour: '9999', expirationMonth: '01', expirationYear: '2041' };
    const replaced = apply(anActive(), { card });
    expect(replaced).toMatchObject({
      type: 'payment_method.updated',
      data: { status: 'active', card: { ...aMaskedCard, ...card }, reconcileAt: '2041-02-01T12:00:00.000Z' },
    });
    expect(apply(replaced?.data ?? anActive(), { card })).toBeNull();
    expect(apply(anActive({ status: 'expired' }), { card })).toMatchObject({
      type: 'payment_method.active',
      data: { status: 'active' },
    });
  });

  it('of a card that has expired makes nothing active', () => {
    const card = { lastFour: '4242', expirationMonth: '05', expirationYear: '2026' };
    expect(apply(anActive(), { card })).toMatchObject({ type: 'payment_method.expired' });
    expect(apply(anActive({ status: 'expired' }), { card })).toBeNull();
  });

  it.each<[StoredMethod['status'], Partial<StoredState>]>([
    ['active', {}],
    ['active', { status: 'pending' }],
    ['active', { status: 'failed' }],
    ['expired', { status: 'failed' }],
    ['failed', {}],
    ['failed', { status: 'revoked' }],
    ['revoked', {}],
    ['revoked', { status: 'revoked' }],
  ])('changes nothing of a method that is %s where it says %p', (status, state) => {
    expect(apply(anActive({ status }), state)).toBeNull();
  });

  it('revokes what the holder or the network has revoked', () => {
    for (const method of [aMethod(), anActive(), anActive({ status: 'expired' })])
      expect(apply(method, { status: 'revoked' })).toMatchObject({
        type: 'payment_method.revoked',
        data: { status: 'revoked', reconcileAt: null },
      });
  });
});

describe('the end of a payment method', () => {
  it('is told to the provider afterwards, and comes once', () => {
    const revoked = revokeMethod(anActive(), later(1));
    expect(revoked?.data).toMatchObject({ status: 'revoked', reconcileAt: later(1).toISOString() });
    for (const status of ['revoked', 'failed'] as const)
      expect(revokeMethod(anActive({ status }), NOW)).toBeNull();
  });

  it('takes the holder along where the customer is deleted, also out of one that had ended', () => {
    expect(forgetHolder(anActive(), NOW)).toMatchObject({
      type: 'payment_method.revoked',
      data: { status: 'revoked', card: { ...aMaskedCard, holderName: null } },
    });
    expect(forgetHolder(anActive({ status: 'failed' }), NOW)).toMatchObject({
      type: 'payment_method.erased',
      data: { status: 'failed', card: { holderName: null } },
    });
  });

  it('is the end of its month', () => {
    expect(expire(anActive(), NOW).data).toMatchObject({ status: 'expired', reconcileAt: null });
  });
});

describe('a charge', () => {
  const charge = (changes: Partial<StoredMethod>, now = NOW) => assertChargeable(anActive(changes), now);
  const inactive = expect.objectContaining({ statusCode: 422, code: 'PAYMENT_METHOD_NOT_ACTIVE' });

  it('needs an active method', () => {
    charge({});
    for (const status of ['pending', 'failed', 'expired', 'revoked'] as const)
      expect(() => charge({ status })).toThrow(inactive);
  });

  it('needs a card that is valid somewhere on earth', () => {
    const ends = new Date('2040-01-01T12:00:00.000Z');
    charge({}, new Date(ends.getTime() - 1));
    expect(() => charge({}, ends)).toThrow(inactive);
  });
});
