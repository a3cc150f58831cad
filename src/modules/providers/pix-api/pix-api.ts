import type { Clock } from '../../../kernel/clock.ts';
import { equalInConstantTime } from '../../../platform/secrets.ts';
import {
  type Asking,
  type AuthorizeRequest,
  NotShownYet,
  type PaymentOrder,
  type PaymentProvider,
  type PaymentState,
  type PlannedPix,
  type ProviderNotification,
  type RefundState,
  type Unconfirmed,
} from '../provider.ts';
import {
  MAX_REAIS,
  notificationsOf,
  type Pix,
  paymentStateOf,
  readCob,
  readDevolucao,
  reais,
  refundStateOf,
} from './answers.ts';
import { namedIn } from './callbacks.ts';
import {
  authorizePlanned,
  cancelPlanned,
  describePlanned,
  newsOfCobr,
  type ReceivingAccount,
  withRetries,
} from './cobr.ts';
import { cobvOf, devedorOf } from './cobv.ts';
import {
  askBack,
  endedState,
  endToEndIdOf,
  findAgain,
  findPayment,
  findRefund,
  kindOf,
  nowOf,
  type PixDeps,
  pathOfRefund,
  putPlaceholder,
  receivedPix,
  removeCob,
  removedBefore,
  SHOWN_AFTER_MS,
} from './lookups.ts';
import { createMandates, type MandateDeps, newsOfRec } from './mandates.ts';
import type { PixNames } from './names.store.ts';
import { chargeIdOf, isChargeId, txidOf } from './references.ts';

/** Payments by Pix through any institution that offers the central bank's API Pix (2.9.0). */
export const createPixApi = (
  deps: PixDeps & {
    readonly names: PixNames;
    /** The receiver's key (`chave`). */
    readonly key: string;
    /** The account for charges under mandates; null where none is set, and no mandates are offered then. */
    readonly account: ReceivingAccount | null;
    /** The part of the callback's address that only the institution knows; several while it is replaced. */
    readonly callbackSecrets: readonly string[];
  },
): PaymentProvider => {
  const { call, account } = deps;

  return {
    name: 'pix-api',
    methods: ['pix'],
    cards: { maxInstallments: 1, wallets: false },
    dueDates: true,
    asksBack: true,
    ...(account && { mandates: createMandates(deps) }),

    async authorize(request, { isFirst } = ASKED_BEFORE) {
      const { instrument } = request;
      if (instrument.type === 'pix' && instrument.planned)
        return authorizePlanned(deps, request, instrument.planned, isFirst);
      if (request.amount > MAX_REAIS) return endedState(request, 'amount_too_large');
      const body = request.hasDueDate ? cobvOf(request, deps) : cobOf(request, deps);
      const answer = await call('PUT', [kindOf(request), txidOf(request.reference)], body);
      if (answer.status === 'done') return paymentStateOf(readCob(answer.body));
      // The institution refuses a txid that exists, which is this charge asked for before.
      const found = await findAgain(deps, () => findPayment(deps, request), isFirst);
      if (found) return found;
      if (!isFirst) throw new NotShownYet('a charge');
      return endedState(request, answer.status === 'refused' ? answer.problem : 'not_found');
    },

    describePayment: (order) => (isPlanned(order) ? describePlanned(deps, order) : findPayment(deps, order)),

    cancel: (order) => (isPlanned(order) ? cancelPlanned(deps, order) : cancelCob(deps, order)),

    async refund(request, { isFirst } = ASKED_BEFORE) {
      const endToEndId = await endToEndIdOf(deps, request);
      if (endToEndId === null) return refusedRefund('payment_not_paid');
      const valor = reais(request.amount);
      const answer = await call('PUT', pathOfRefund(endToEndId, request), { valor });
      if (answer.status === 'done') return refundStateOf(readDevolucao(answer.body), request);
      const found = await findAgain(deps, () => findRefund(deps, endToEndId, request), isFirst);
      if (found) return found;
      // An address that is not found may be the fault of what stands before the institution.
      const isItsWord = isFirst && answer.status === 'refused';
      if (!isItsWord && nowOf(deps) - Date.parse(request.openedAt) < SHOWN_AFTER_MS)
        throw new NotShownYet('a devolucao');
      return refusedRefund(answer.status === 'refused' ? answer.problem : 'not_found');
    },

    async describeRefund(request) {
      const endToEndId = await endToEndIdOf(deps, request);
      return endToEndId === null ? null : findRefund(deps, endToEndId, request);
    },

    verify: async ({ secret }) =>
      secret !== null && deps.callbackSecrets.some((known) => equalInConstantTime(known, secret)),

    /** Only about charges that have a name of this gateway: the key may receive other Pix. */
    newsSince: (since) => newsOfAll(deps, since),

    async notificationsIn({ body }) {
      const named = namedIn(body);
      if (!named) return null;
      const told: (ProviderNotification | Unconfirmed)[] = [];
      // An item that cannot be read keeps nothing else in the delivery from being heard; the delivery comes again.
      const hear = async (id: string, ask: () => Promise<readonly (ProviderNotification | Unconfirmed)[]>) =>
        told.push(...(await ask().catch((): readonly Unconfirmed[] => [{ kind: 'unconfirmed', id }])));
      for (const id of named.pixes) await hear(id, () => newsOfPix(deps, id));
      for (const id of named.recs) await hear(id, () => newsOfRec(deps, id));
      for (const txid of named.cobrs) await hear(txid, () => newsOfCobr(deps, txid));
      return told;
    },
  };
};

/** News of all Pix that were received since then. */
const newsOfAll = async (deps: MandateDeps, since: Date): Promise<readonly ProviderNotification[]> => {
  const pixes = await receivedPix(deps, since);
  for (const { unreadable } of pixes) if (unreadable) deps.noteUnreadable();
  const ours = pixes.filter(({ txid }) => txid !== undefined && chargeIdOf(txid) !== null);
  const retried = await withRetries(deps, ours.map(txidIn));
  const told = ours.filter((pix) => !retried.has(txidIn(pix))).flatMap((pix) => notificationsOf(pix, null));
  for (const txid of new Set(ours.map(txidIn))) {
    if (!retried.has(txid)) continue;
    // The list comes again in a minute, and holds other money besides.
    const news: readonly (ProviderNotification | Unconfirmed)[] = await newsOfCobr(deps, txid).catch(
      () => [],
    );
    told.push(...news.filter(isConfirmed));
  }
  return told;
};

/** Ends a charge that no mandate pays. */
const cancelCob = async (
  deps: PixDeps & { readonly key: string },
  order: PaymentOrder,
): Promise<PaymentState> => {
  const removed = await removeCob(deps, order);
  if (removed) return removed;
  // Its own charge may still be on the way: what stands in its place keeps it from arriving, of whatever kind it is.
  await putPlaceholder(deps, order);
  const state =
    (await removeCob(deps, order, 'cob')) ?? (order.hasDueDate ? await removeCob(deps, order) : null);
  return state ?? removedBefore(deps, order);
};

type Planned = PaymentOrder & { readonly planned: PlannedPix };
const isPlanned = (order: PaymentOrder): order is Planned => order.planned !== undefined;

const txidIn = ({ txid = '' }: Pick<Pix, 'txid'>): string => txid.toLowerCase();

const isConfirmed = (news: ProviderNotification | Unconfirmed): news is ProviderNotification =>
  news.kind !== 'unconfirmed';

/** A Pix for a planned charge that was tried again says by itself nothing of which attempt it has paid. */
const newsOfPix = async (
  deps: MandateDeps,
  endToEndId: string,
): Promise<readonly (ProviderNotification | Unconfirmed)[]> => {
  const told = await askBack(deps, endToEndId);
  const [payment] = told;
  if (payment?.kind !== 'payment') return told;
  const txid = isChargeId(payment.reference) ? txidOf(payment.reference) : '';
  if (!(await withRetries(deps, [txid])).has(txid)) return told;
  const news = await newsOfCobr(deps, txid);
  return news.some(({ id }) => id === endToEndId) ? news : [{ kind: 'unconfirmed', id: endToEndId }];
};

/** The body of `PUT /cob/{txid}`. */
const cobOf = (
  { instrument, amount, currency, payer }: AuthorizeRequest,
  { clock, key }: { readonly clock: Clock; readonly key: string },
) => {
  if (instrument.type !== 'pix' || currency !== 'BRL') throw new Error('the API Pix takes Pix in BRL only');
  const seconds = Math.ceil((Date.parse(instrument.expiresAt) - clock().getTime()) / 1_000);
  const devedor = devedorOf(payer);
  return {
    calendario: { expiracao: Math.max(seconds, 1) },
    ...(devedor ? { devedor } : {}),
    valor: { original: reais(amount) },
    chave: key,
  };
};

const ASKED_BEFORE: Asking = { isFirst: false };

const refusedRefund = (reason: string): RefundState => ({ status: 'refused', reason, pspRefundRefId: null });
