import { setTimeout as sleep } from 'node:timers/promises';
import type { Db, Document } from 'mongodb';
import { businessDayFrom, type Day, dateOfDay } from '../../src/kernel/business-days.ts';
import { DAY_MS, HOUR_MS } from '../../src/kernel/durations.ts';
import { pixDayOf } from '../../src/modules/providers/pix/due-terms.ts';
import { chargeIdOf } from '../../src/modules/providers/pix-api/references.ts';
import type { PixInstitution } from './pix-api/institution.ts';
import { eventually } from './program.ts';

/** Something that was asked for has happened, or is asked for again, within this time. */
const WITHIN_MS = 240_000;
const ANA = { name: 'Ana Souza', email: 'ana@example.test', document: { type: 'cpf', id: '52998224725' } };
const PRICE = { amount: 49.9, currency: 'BRL', interval: 'month' };

type Life = {
  readonly institution: PixInstitution;
  readonly db: () => Db;
  /** Null where the program died over it, or refused it. */
  readonly post: (path: string, body: object) => Promise<{ readonly id: string } | null>;
  /** Sends a callback, which may get lost. */
  readonly tell: (resource: 'rec' | 'cobr', body: Buffer) => Promise<unknown>;
};

/** The day on which the first cycles are due: near enough for an institution to take them on this one. */
const firstDay = (now = new Date()): Day => businessDayFrom(pixDayOf(now) + 6);

/**
 * Lives of mandates at a gateway that may die at any moment: each is asked for until it is there, approved by its payer,
 * and pays a subscription whose first charge is handed in ahead of its day.
 */
export const createMandateLives = ({ institution, db, post, tell }: Life) => {
  const due = firstDay();
  const past = (): string => new Date(Date.now() - 1_000).toISOString();
  const find = (name: string, filter: Document) => db().collection(name).findOne(filter);
  const lookAtOnce = (name: string, filter: Document) =>
    db()
      .collection(name)
      .updateMany({ ...filter, reconcileAt: { $gt: past() } }, { $set: { reconcileAt: past() } });
  /** Asks for something until it is found, because a program that dies may have done it or not. */
  const untilFound = async (ask: () => Promise<unknown>, look: () => Promise<Document | null>) => {
    for (const end = Date.now() + WITHIN_MS; Date.now() < end; await sleep(300)) {
      const found = await look();
      if (found) return found;
      await ask();
    }
    throw new Error('a mandate does not get on');
  };

  const inForce = (): readonly string[] =>
    [...institution.cobrs.values()].filter(({ status }) => status === 'ATIVA').map(({ txid }) => txid);

  const aCustomer = async (): Promise<string> => {
    for (;;) {
      const customer = await post('/v1/customers', ANA);
      if (customer) return customer.id;
      await sleep(100);
    }
  };

  /** A mandate that the institution has, by the names of both sides. */
  const enroll = async (customerId: string): Promise<{ readonly id: string; readonly idRec: string }> => {
    const terms = {
      ...{ type: 'pix_automatic', journey: 'qr', interval: 'month', amount: PRICE.amount, retries: 'none' },
      ...{ startDate: dateOfDay(due), contract: 'contract-1001', description: 'Gym membership' },
    };
    const waits = { customerId, status: 'pending' };
    const { id } = await untilFound(
      async () => {
        if (await find('payment_methods', waits)) return lookAtOnce('payment_methods', waits);
        return post(`/v1/customers/${customerId}/payment-methods`, terms);
      },
      () => find('payment_methods', { ...waits, providerMethod: { $ne: null } }),
    );
    const name = await db()
      .collection<{ _id: string; idRec: string }>('pix_api_mandates')
      .findOne({ _id: id });
    return { id, idRec: name?.idRec ?? '' };
  };

  const subscribe = async (customerId: string, paymentMethodId: string): Promise<string> => {
    const body = { ...{ customerId, paymentMethodId, price: PRICE }, collection: 'automatic' };
    const { id } = await untilFound(
      () => post('/v1/subscriptions', { ...body, startDate: dateOfDay(due) }),
      () => find('subscriptions', { paymentMethodId }),
    );
    return id;
  };

  /** Lets a subscription live five days before its first cycle, until that one's charge is stored. */
  const handIn = async (subscriptionId: string): Promise<void> => {
    const offsetMs = (due - 5) * DAY_MS + 15 * HOUR_MS - Date.now();
    await untilFound(
      () =>
        db()
          .collection('subscriptions')
          .updateOne({ id: subscriptionId }, { $set: { offsetMs, reconcileAt: past() } }),
      () => find('charges', { 'cycle.subscriptionId': subscriptionId }),
    );
  };

  return {
    due,

    /** One life, up to the charge of its first cycle. */
    async begin(): Promise<void> {
      const customerId = await aCustomer();
      const { id, idRec } = await enroll(customerId);
      institution.decide(idRec, 'approve');
      await tell('rec', institution.callbackAboutRecs(idRec));
      await untilFound(
        () => lookAtOnce('payment_methods', { id }),
        () => find('payment_methods', { id, status: 'active' }),
      );
      await handIn(await subscribe(customerId, id));
    },

    /**
     * Waits until so many charges of cycles are at the institution, each once. One whose request never arrived is made
     * again a minute later.
     */
    async untilHandedIn(count: number): Promise<void> {
      const planned = { 'cycle.subscriptionId': { $exists: true }, status: 'pending' };
      const handedIn = async () => {
        await lookAtOnce('charges', planned);
        return db()
          .collection('charges')
          .countDocuments({ ...planned, instructions: { $ne: null } });
      };
      await eventually('the cycles are handed in', async () => (await handedIn()) === count, WITHIN_MS);
      expect(inForce()).toHaveLength(count);
    },

    /** Plays the payers' banks on the day: each pays, but for one. */
    async settleAll(): Promise<void> {
      for (const [index, txid] of inForce().entries()) {
        institution.settle(txid, index !== 0);
        await tell('cobr', institution.callbackAboutCobrs(txid));
      }
    },

    /** Mandates and charges of cycles as both sides have them, each by our name of it. */
    async books() {
      const names = await db()
        .collection<{ _id: string; idRec: string }>('pix_api_mandates')
        .find()
        .toArray();
      const statusOf = async (name: string, id: string): Promise<string> =>
        (await find(name, { id }))?.status ?? 'unknown';
      const here: (readonly [string, string])[] = [];
      const there: (readonly [string, string])[] = [];
      for (const { idRec, status } of institution.recs.values()) {
        const id = names.find((name) => name.idRec === idRec)?._id ?? idRec;
        there.push([id, status === 'APROVADA' ? 'active' : 'failed']);
        here.push([id, await statusOf('payment_methods', id)]);
      }
      for (const { txid, status } of institution.cobrs.values()) {
        const id = chargeIdOf(txid) ?? txid;
        there.push([id, status === 'CONCLUIDA' ? 'paid' : 'failed']);
        here.push([id, await statusOf('charges', id)]);
      }
      return { here, there };
    },
  };
};
