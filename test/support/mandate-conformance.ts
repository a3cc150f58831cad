import { dateOfDay, dayOf } from '../../src/kernel/business-days.ts';
import { newId } from '../../src/kernel/ids.ts';
import { pixDayOf } from '../../src/modules/providers/pix/due-terms.ts';
import { cutOffOf } from '../../src/modules/providers/pix/mandate-terms.ts';
import type {
  Delivery,
  EnrollRequest,
  MandateKeeper,
  PaymentProvider,
  PlannedOrder,
} from '../../src/modules/providers/provider.ts';
import { anAuthorizeRequest } from '../builders.ts';

/** A provider of Pix Automático with the payers of its mandates. */
type MandatesUnderTest = {
  readonly provider: PaymentProvider;
  /** A new instance that remembers nothing, as after the death of a process. */
  restart(): PaymentProvider;
  readonly now: Date;
  /** Lets the payer approve a mandate. */
  approve(reference: string): Promise<void>;
  /** Lets the payer cancel an approved mandate. */
  cancel(reference: string): Promise<void>;
  /** Lets the payer's bank not pay a planned charge on its day. */
  fail(reference: string): Promise<void>;
  /** The provider at another time. */
  at(now: Date): Pick<PaymentProvider, 'cancel'>;
  /**
   * The provider's name of a mandate that is approved, has the terms of the one with this reference and is another
   * receiver's; absent where a provider has one receiver only.
   */
  readonly ofAnother?: (reference: string) => Promise<string>;
  /** The news of planned charges, and the day on which one is paid; absent where such news does not come over the network. */
  readonly planned?: {
    readonly news: (reference: string) => Promise<Delivery>;
    readonly pay: (reference: string, on: string) => Promise<void>;
  };
  /** The provider's news of a mandate as it stands; absent where such news does not come over the network. */
  readonly news?: (reference: string) => Promise<Delivery>;
};

const AMOUNT = 49_90;

/** The behaviour that the gateway relies on where a provider keeps mandates. */
export const describeMandates = (name: string, given: MandatesUnderTest): void => {
  const { provider, now } = given;
  const today = pixDayOf(now);
  const keeperOf = ({ mandates }: PaymentProvider): MandateKeeper => {
    if (!mandates) throw new Error('the provider keeps no mandates');
    return mandates;
  };
  const keeper = keeperOf(provider);
  const aRequest = (): EnrollRequest => ({
    reference: newId('pm'),
    providerMethod: null,
    firstCharge: null,
    merchantName: 'Loja da Ana',
    payer: {
      name: 'Ana Souza',
      email: 'ana@example.test',
      document: { type: 'cpf', id: '52998224725' },
    },
    terms: {
      ...{ journey: 'qr', interval: 'month', intervalCount: 1, amount: AMOUNT, minimumAmount: null },
      ...{ startDate: dateOfDay(today + 5), endDate: null, retries: 'three_in_seven_days' },
      ...{ contract: 'contract-1001', description: 'Gym membership' },
    },
  });
  const anApproved = async () => {
    const request = aRequest();
    const { providerMethod } = await keeper.enroll(request);
    await given.approve(request.reference);
    return { request, mandate: providerMethod ?? '' };
  };
  const plan = (mandate: string, changes: Partial<PlannedOrder> = {}): PlannedOrder => {
    const day = dateOfDay(today + 5);
    return { mandate, dueDate: day, on: day, retryOf: null, askedAt: now.toISOString(), ...changes };
  };
  const authorize = (planned: PlannedOrder, changes: { amount?: number; reference?: string } = {}) =>
    provider.authorize(
      anAuthorizeRequest(
        { type: 'pix', expiresAt: `${planned.on}T23:59:59.000Z`, planned },
        { amount: AMOUNT, ...changes },
      ),
      { isFirst: true },
    );
  const told = async (...deliveries: readonly Delivery[]) => {
    const news = await Promise.all(deliveries.map((delivery) => provider.notificationsIn(delivery)));
    return news.map((one) => one ?? []);
  };
  const aDaysBefore = (days: number): string =>
    new Date(Date.parse(`${dateOfDay(today + 5 - days)}T15:00:00Z`)).toISOString();

  describe(`${name}, as a keeper of mandates,`, () => {
    it('makes one mandate of eight requests at once, which a new process finds', async () => {
      const request = aRequest();
      const states = await Promise.all(Array.from({ length: 8 }, () => keeper.enroll(request)));
      expect(new Set(states.map((state) => JSON.stringify(state))).size).toBe(1);
      expect(states[0]).toMatchObject({ status: 'pending', copyPaste: expect.any(String) });
      expect(await keeperOf(given.restart()).describeMandate(request)).toEqual(states[0]);
    });

    it('does not know a mandate that nobody asked for, and lets nobody approve a revoked one', async () => {
      const request = aRequest();
      expect(await keeper.describeMandate(request)).toBeNull();
      expect((await keeper.revokeMandate(request)).status).toBe('failed');
      expect((await keeper.enroll(request)).status).toBe('failed');
      await expect(given.approve(request.reference)).rejects.toThrow();
    });

    it('takes a charge from ten days to two days ahead', async () => {
      const taken: number[] = [];
      for (let days = 0; days <= 12; days += 1) {
        const { mandate } = await anApproved();
        const state = await authorize(plan(mandate, { askedAt: aDaysBefore(days) }));
        if (state.status === 'pending') taken.push(days);
      }
      expect(taken).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10]);
    });

    it('takes one charge for each cycle, and another one once that is withdrawn', async () => {
      const { mandate } = await anApproved();
      const references = Array.from({ length: 8 }, () => newId('chg'));
      const states = await Promise.all(
        references.map((reference) => authorize(plan(mandate), { reference })),
      );
      const [first = ''] = references.filter((_, index) => states[index]?.status === 'pending');
      expect(states.filter(({ status }) => status === 'pending')).toHaveLength(1);
      const { on, retryOf } = plan(mandate);
      const order = { reference: first, amount: AMOUNT, currency: 'BRL', planned: { on, retryOf } };
      expect(await provider.cancel(order)).toMatchObject({ status: 'failed', failureReason: 'cancelled' });
      expect((await authorize(plan(mandate))).status).toBe('pending');
    });

    it('takes a retry of the first charge until 22:00 of the day before, and no other retry', async () => {
      const { mandate } = await anApproved();
      const reference = newId('chg');
      await authorize(plan(mandate), { reference });
      await given.fail(reference);
      const on = dateOfDay(today + 7);
      const cutOff = Date.parse(cutOffOf(dayOf(on)));
      const retry = (at: number, retryOf: string) =>
        authorize(plan(mandate, { on, retryOf, askedAt: new Date(at).toISOString() }));
      expect((await retry(cutOff, reference)).status).toBe('refused');
      expect((await retry(cutOff - 1, newId('chg'))).status).toBe('refused');
      expect((await retry(cutOff - 1, reference)).status).toBe('pending');
    });

    it('lets a charge be withdrawn until 22:00 of the day before, and not from then on', async () => {
      const { mandate } = await anApproved();
      const reference = newId('chg');
      const { on, retryOf } = plan(mandate);
      await authorize(plan(mandate), { reference });
      const order = { reference, amount: AMOUNT, currency: 'BRL', planned: { on, retryOf } };
      const cutOff = Date.parse(cutOffOf(dayOf(on)));
      const cancelAt = (at: number) => given.at(new Date(at)).cancel(order);
      expect(await cancelAt(cutOff)).toMatchObject({ status: 'pending' });
      const off = { status: 'failed', failureReason: 'cancelled' };
      expect(await cancelAt(cutOff - 1)).toMatchObject(off);
      expect(await cancelAt(cutOff)).toMatchObject(off);
    });

    it('takes nothing under a mandate that is unknown, not approved or cancelled, or for another amount', async () => {
      const pending = aRequest();
      const { providerMethod } = await keeper.enroll(pending);
      expect((await authorize(plan(providerMethod ?? ''))).status).toBe('refused');
      expect((await authorize(plan('another_mandate'))).status).toBe('refused');
      const { request, mandate } = await anApproved();
      expect((await authorize(plan(mandate), { amount: AMOUNT + 1 })).status).toBe('refused');
      await given.cancel(request.reference);
      expect(await keeper.describeMandate(request)).toMatchObject({ status: 'revoked' });
      expect((await authorize(plan(mandate))).status).toBe('refused');
    });

    it('takes nothing under a mandate of another receiver, ends that as a refusal, and nobody pays', async () => {
      if (!given.ofAnother) return;
      const { request } = await anApproved();
      const mandate = await given.ofAnother(request.reference);
      const planned = plan(mandate);
      const reference = newId('chg');
      const asked = Array.from({ length: 3 }, () => authorize(planned, { reference }));
      for (const state of await Promise.all(asked))
        expect(state).toMatchObject({
          ...{ status: 'refused', paidAt: null },
          failureReason: expect.stringMatching(/^[a-z]+(_[a-z]+)*$/),
        });
      const { on, retryOf } = planned;
      const order = { reference, amount: AMOUNT, currency: 'BRL', planned: { on, retryOf } };
      expect(await provider.describePayment(order)).toBeNull();
      await expect(given.planned?.pay(reference, on)).rejects.toThrow();
      expect(await provider.cancel(order)).toMatchObject({ status: 'failed', failureReason: 'cancelled' });
    });

    it('tells what stands, however often its news comes and in whatever order', async () => {
      if (!given.news) return;
      const request = aRequest();
      await keeper.enroll(request);
      const early = await given.news(request.reference);
      await given.approve(request.reference);
      const approved = await given.news(request.reference);
      const [first, again, old] = (await told(approved, approved, early)).flat();
      const state = { status: 'active', failureReason: null };
      expect(first).toMatchObject({ kind: 'mandate', reference: request.reference, state });
      expect([again, old]).toEqual([first, first]);
      await given.cancel(request.reference);
      const [ended, late] = (await told(await given.news(request.reference), approved)).flat();
      expect(ended).toMatchObject({ kind: 'mandate', state: { status: 'revoked' } });
      expect(late).toEqual(ended);
      expect(ended?.id).not.toBe(first?.id);
    });

    it('tells of a planned charge and its retry what stands, however often and in whatever order', async () => {
      if (!given.planned) return;
      const { mandate } = await anApproved();
      const [reference, retryReference] = [newId('chg'), newId('chg')];
      await authorize(plan(mandate), { reference });
      const early = await given.planned.news(reference);
      expect(await told(early, early)).toEqual([[], []]);
      await given.fail(reference);
      const unpaid = await given.planned.news(reference);
      const [failed, again, old] = await told(unpaid, unpaid, early);
      expect(failed).toMatchObject([{ kind: 'payment', reference, state: { status: 'failed' } }]);
      expect([again, old]).toEqual([failed, failed]);
      const on = dateOfDay(today + 7);
      const askedAt = new Date(Date.parse(cutOffOf(dayOf(on))) - 1).toISOString();
      await authorize(plan(mandate, { on, retryOf: reference, askedAt }), { reference: retryReference });
      await given.planned.pay(reference, on);
      const [paid, ...others] = await told(await given.planned.news(reference), unpaid, early);
      expect(paid).toMatchObject([
        { reference, state: { status: 'failed' } },
        { reference: retryReference, amount: AMOUNT, state: { status: 'paid' } },
      ]);
      expect(others).toEqual([paid, paid]);
    });
  });
};
