import { createHmac } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { MerchantId } from '../../src/kernel/ids.ts';
import {
  MERCHANT_PERMISSIONS,
  type MerchantPrincipal,
  OPERATOR_PERMISSIONS,
} from '../../src/kernel/principal.ts';
import type { SimulatedPayment, SimulatedRefund } from '../../src/modules/providers/simulator/payment.ts';
import {
  aCardRequest,
  aMerchantPrincipal,
  anOperatorPrincipal,
  aPayoutFee,
  aSpreadFee,
} from '../builders.ts';
import { type Answer, type Ask, createAsk } from '../simulation/world/clients.ts';
import { untilDone } from '../simulation/world/until-done.ts';
import { PROVIDER_SECRET, type Process, type World } from '../simulation/world/world.ts';
import { comparedOf, type ModelState, readStores, UNIT } from './played.ts';

const OPERATOR = anOperatorPrincipal({ permissions: OPERATOR_PERMISSIONS, livemode: false });

/** Cards of the simulator that behave as those of the model. */
const CARDS: Readonly<Record<string, string>> = {
  good: '4242424242424242',
  refused: '4000000000000002',
  silent: '4000000000004954',
  'refund pending': '4000000000007726',
  'refund refused': '4000000000005423',
  'refund fails': '4000000000003220',
};

/** Decimal units for a unit of the model. */
const DECIMAL = UNIT / 100;
const HOUR_MS = 3_600_000;
/** Longer than an intent is left alone, and shorter than a refund that the provider has accepted. */
const GRACE_MS = 20_000;
const SETTLED_EVERY_MS = 31 * 24 * HOUR_MS;

/** A request under way at a process that stops before it stores something, and before the first call to the provider. */
type Command = {
  readonly process: Process;
  /** Has the message sent at which the process has stopped; null while it goes on. */
  send: (() => void) | null;
  /** The kind of statements at which the process is not stopped. */
  passing: 'transaction' | 'provider' | null;
  stoppedAt: 'transaction' | 'provider' | null;
  answer: Answer | null | undefined;
};

type Story = {
  readonly world: World;
  readonly ask: Ask;
  readonly worker: Process;
  /** The processes `a` and `b` of the model; one that has died is started again when it is needed. */
  readonly processes: Map<string, Process>;
  readonly merchant: MerchantPrincipal;
  readonly card: string;
  readonly commands: Map<string, Command>;
  readonly payouts: Map<number, string>;
  readonly messages: Map<string, object>;
};

const fail = (why: string): never => {
  throw new Error(why);
};

const succeeded = (answer: Answer | null | undefined): Answer =>
  answer && answer.status < 300 ? answer : fail(`the answer was ${JSON.stringify(answer)}`);

/** A statement by which a transaction begins to store what its command has decided. */
const WRITE = /^transaction (bulk|delete|insert|replace|update) /;

const END = /^(commit commit|transaction abort)$/;

/** Stops the processes of commands at their next step. */
const holdCommands = (world: World, commands: ReadonlyMap<string, Command>): void => {
  world.hold = (owner, what, send) => {
    const command = [...commands.values()].find(({ process }) => process.name === owner);
    if (!command) return false;
    const isTransaction = WRITE.test(what);
    const isProvider = what.includes(' simulator_');
    if (END.test(what)) command.passing = null;
    const kind = isTransaction ? 'transaction' : isProvider ? 'provider' : null;
    if (kind === null || command.passing === kind) return false;
    Object.assign(command, { send, stoppedAt: kind });
    return true;
  };
};

/** Lets a command go on to where it stops next. */
const goOn = async ({ world }: Story, command: Command): Promise<void> => {
  const { send, stoppedAt } = command;
  Object.assign(command, { send: null, passing: stoppedAt, stoppedAt: null });
  send?.();
  await world.scheduler.runUntil(() => command.send !== null || command.answer !== undefined);
};

const chargeIdOf = async ({ world, merchant: { merchantId } }: Story): Promise<string> =>
  String((await world.db.collection('charges').findOne<{ id: string }>({ merchantId }))?.id);

const refundIdsOf = async ({ world, merchant: { merchantId } }: Story): Promise<readonly string[]> =>
  (await world.db.collection('refunds').find<{ id: string }>({ merchantId }).sort({ _id: 1 }).toArray()).map(
    ({ id }) => id,
  );

/** Has a process work at a request of the model until it stops at the first transaction. */
const begin = async (story: Story, by: string, kind: string): Promise<void> => {
  const { world, ask, merchant, commands, processes, card } = story;
  const process = processes.get(by) ?? (await world.start('api'));
  processes.set(by, process);
  const chargeId = await chargeIdOf(story);
  const command: Command = { process, send: null, passing: null, stoppedAt: null, answer: undefined };
  commands.set(by, command);
  const payment = aCardRequest({ amount: 10 * DECIMAL, reference: merchant.merchantId }, { number: card });
  const requests = {
    charge: ['createCharge', { ...payment, paymentMethod: { ...payment.paymentMethod, installments: 2 } }],
    refund: ['createRefund', { chargeId, reason: 'sent back' }],
    alert: ['createChargebackAlert', { chargeId }],
    anticipation: ['createAnticipation', { chargeId }],
    chargeback: ['confirmTestChargeback', undefined],
  } as const;
  const [operation, body] = requests[kind as keyof typeof requests];
  const asked = body ? { body } : { params: { id: chargeId } };
  const principal = kind === 'alert' ? OPERATOR : merchant;
  void ask(operation, principal, { ...asked, at: process }).then((answer) => {
    command.answer = answer;
  });
  await goOn(story, command);
  if (command.stoppedAt !== 'transaction') fail(`did not decide: ${JSON.stringify(command.answer)}`);
};

const commandOf = ({ commands }: Story, by: string): Command => commands.get(by) ?? fail(`${by} is idle`);

const end = (story: Story, by: string): void => {
  if (commandOf(story, by).answer === undefined) fail('the command goes on');
  story.commands.delete(by);
};

/** Stores the intent that a command has decided on. */
const store = async (story: Story, by: string, kind: string): Promise<void> => {
  const command = commandOf(story, by);
  await goOn(story, command);
  if (kind === 'chargeback' || kind === 'anticipation') {
    succeeded(command.answer);
    end(story, by);
  } else if (command.stoppedAt !== 'provider')
    fail(`did not store: ${command.stoppedAt} ${JSON.stringify(command.answer)}`);
};

/** Finds that the charge has changed, and decides on it as it is now. */
const decideAgain = async (story: Story, by: string): Promise<void> => {
  const command = commandOf(story, by);
  await goOn(story, command);
  if (command.stoppedAt === 'transaction') return;
  if (![409, 422].includes(command.answer?.status ?? 0))
    fail(`stored what was decided on another charge: ${JSON.stringify(command.answer)}`);
  end(story, by);
};

/** Has a call arrive at the provider, for whose answer the command may not wait any more. */
const call = async (story: Story, by: string, before: ModelState): Promise<void> => {
  const command = commandOf(story, by);
  const isLate = command.answer !== undefined;
  await goOn(story, command);
  if (isLate) await story.world.scheduler.pass(500);
  if (isLate !== (before.commands.get(by)?.step === 'late')) fail(`waits ${isLate ? 'no more' : 'still'}`);
  const { kind } = before.commands.get(by) ?? {};
  if (isLate || (before.card === 'silent' && kind === 'charge')) end(story, by);
};

/** Stores the outcome, unless it is old news by now. */
const record = async (story: Story, by: string): Promise<void> => {
  const command = commandOf(story, by);
  while (command.answer === undefined) await goOn(story, command);
  succeeded(command.answer);
  end(story, by);
};

const crash = (story: Story, by: string): void => {
  const { process } = commandOf(story, by);
  story.commands.delete(by);
  story.processes.delete(by);
  story.world.crash(process);
};

/** Lets all machines stand still for so long, and then those without a request under way do what is due. */
const letTimePass = async ({ world: { scheduler } }: Story, ms: number): Promise<void> => {
  scheduler.leap(ms);
  await scheduler.pass(5_000);
};

/** Keeps the messages that the provider would send about what it holds now; number 0 is the payment. */
const noteMessages = async (story: Story): Promise<void> => {
  const { world, messages } = story;
  const chargeId = await chargeIdOf(story);
  const [payment] = await world.db
    .collection<SimulatedPayment>('simulator_payments')
    .find({ _id: chargeId })
    .toArray();
  const of = { livemode: false };
  if (payment?.order) {
    const { order, status, pspRefId, failureReason: reason, paidAt } = payment;
    const { amount, currency } = order;
    messages.set(`0 ${status}`, {
      ...of,
      type: 'payment',
      reference: chargeId,
      amount,
      currency,
      status,
      pspRefId,
      reason,
      paidAt,
    });
  }
  for (const [place, id] of (await refundIdsOf(story)).entries()) {
    const [refund] = await world.db
      .collection<SimulatedRefund>('simulator_refunds')
      .find({ _id: id })
      .toArray();
    if (!refund) continue;
    const { amount, currency, status, pspRefundRefId: pspRefId, reason } = refund;
    messages.set(`${place + 1} ${status}`, {
      ...of,
      type: 'refund',
      reference: id,
      amount,
      currency,
      status,
      pspRefId,
      reason,
    });
  }
};

const hear = async (story: Story, number: number, status: string): Promise<void> => {
  const { world, ask, worker, messages } = story;
  const message = messages.get(`${number} ${status}`) ?? fail('the provider has sent no such message');
  const body = { id: `news-${world.random.below(1e9)}`, ...message };
  const seconds = Math.floor(world.scheduler.now / 1_000);
  const signature = createHmac('sha256', PROVIDER_SECRET)
    .update(`${seconds}.${JSON.stringify(body)}`)
    .digest('hex');
  const headers = { 'x-provider-signature': `t=${seconds},v1=${signature}` };
  const params = { provider: 'simulator' };
  succeeded(await ask('receiveProviderNotification', OPERATOR, { params, body, headers, at: worker }));
};

/** News of a failure may be late, but comes: nobody asks about a refund that has succeeded. */
const hearAll = async (story: Story, given: ModelState['given']): Promise<void> => {
  for (const [number, status] of given)
    if (status !== 'none') await untilDone(story.world, () => hear(story, number, status));
};

/** The bank's decision, of which nobody is told yet. */
const decideAtBank = async (story: Story, number: number, status: string): Promise<void> => {
  const id = (await refundIdsOf(story))[number - 1] ?? fail('there is no such refund');
  const reason = status === 'refunded' ? null : 'the bank has said so';
  await story.world.db
    .collection<{ _id: string }>('simulator_refunds')
    .updateOne({ _id: id }, { $set: { status, reason } });
};

const requestPayout = async ({ ask, merchant, payouts, worker }: Story, number: number): Promise<void> => {
  const body = { amount: 3 * UNIT };
  const { body: made } = succeeded(await ask('createPayoutRequest', merchant, { body, at: worker }));
  payouts.set(number, String(made.id));
};

/** Approves payouts at the same time. The model says how many get cover, and not which: that may be told here. */
const approve = async ({ ask, payouts, worker }: Story, numbers: readonly number[], after: ModelState) => {
  const answers = await Promise.all(
    numbers.map((number) =>
      ask('approvePayoutRequest', OPERATOR, { params: { id: String(payouts.get(number)) }, at: worker }),
    ),
  );
  const isSwapped = numbers.some(
    (number, place) => (after.payouts.get(number) === 'approved') !== (answers[place]?.status === 200),
  );
  if (numbers.length < 2 || !isSwapped) return;
  const [first, second] = [String(payouts.get(1)), String(payouts.get(2))];
  payouts.set(1, second).set(2, first);
};

const transfer = async ({ ask, payouts, worker }: Story, number: number, status: string): Promise<void> => {
  const params = { id: String(payouts.get(number)) };
  const body = status === 'failed' ? { status, reason: 'the account is closed' } : { status };
  succeeded(await ask('recordPayoutTransfer', OPERATOR, { params, body, at: worker }));
};

/** Does what the model did. */
const act = async (story: Story, before: ModelState, after: ModelState): Promise<void> => {
  const { world } = story;
  const { what, by, number, value } = after.did;
  switch (what) {
    case 'ask':
      return begin(story, by, value);
    case 'store':
      return store(story, by, value);
    case 'decide again':
      return decideAgain(story, by);
    case 'call':
      return call(story, by, before);
    case 'record':
      return record(story, by);
    case 'crash':
      return crash(story, by);
    case 'reconcile':
      return letTimePass(story, before.stored.refund === 'accepted' ? 2 * HOUR_MS : GRACE_MS);
    case 'settle':
      return letTimePass(story, SETTLED_EVERY_MS);
    case 'bank':
      return decideAtBank(story, number, value);
    case 'hear':
      return untilDone(world, () => hear(story, number, value));
    case 'request payout':
      return untilDone(world, () => requestPayout(story, number));
    case 'approve':
      return untilDone(world, () => approve(story, number === 2 ? [1, 2] : [Number(value)], after));
    case 'transfer':
      return untilDone(world, () => transfer(story, number, value));
    default:
      fail(`nobody can play ${what}`);
  }
};

const FEES = [
  aSpreadFee({ definition: { fixed: 2 * DECIMAL, percentages: [0, 0] } }),
  aPayoutFee(UNIT),
  aSpreadFee({ fee_type: 'anticipation', definition: { fixed: DECIMAL, percentages: [0, 0, 0] } }),
];

const openMerchant = async (ask: Ask, at: Process): Promise<MerchantPrincipal> => {
  const admin = async (operation: string, asked: object): Promise<Answer> =>
    succeeded(await ask(operation, OPERATOR, { ...asked, at }));
  const body = {
    legalName: 'Loja Ltda',
    email: 'loja@example.test',
    companyTaxId: '11.222.333/0001-81',
    role: 'Merchant',
  };
  const { body: merchant } = await admin('createMerchant', { body });
  const merchantId = String(merchant.id) as MerchantId;
  await admin('replaceFeeDefinitions', { params: { id: merchantId }, body: FEES });
  const alertFee = { name: 'chargeback_alert_fee', content: { amount: DECIMAL, currency: 'BRL' } };
  await admin('setMerchantSetting', { params: { id: merchantId }, body: alertFee });
  return aMerchantPrincipal({ merchantId, permissions: MERCHANT_PERMISSIONS });
};

/** A world in which traces are played one after the other, each with a merchant of its own. */
export const createPlayer = async (world: World) => {
  const worker = await world.start();
  const ask = createAsk(world);
  const processes = new Map<string, Process>();
  /** Plays a trace; returns the first way in which the program differs from the model, or null. */
  return async (trace: readonly ModelState[]): Promise<string | null> => {
    const [first] = trace;
    if (!first) return 'the trace is empty';
    const merchant = await untilDone(world, () => openMerchant(ask, worker));
    const commands = new Map<string, Command>();
    holdCommands(world, commands);
    const card = String(CARDS[first.card]);
    const story: Story = {
      world,
      ask,
      worker,
      processes,
      merchant,
      card,
      commands,
      payouts: new Map(),
      messages: new Map(),
    };
    try {
      for (const [place, after] of trace.entries()) {
        const before = trace[place - 1];
        if (!before) continue;
        const { what, by, number, value } = after.did;
        const name = `step ${place}, ${[what, by, number, value].join(' ')}`;
        try {
          await act(story, before, after);
        } catch (error) {
          return `${name}: ${error instanceof Error ? error.message : error}`;
        }
        await noteMessages(story);
        const found = await readStores(world.db, merchant.merchantId, story.payouts);
        const expected = comparedOf(after);
        if (!isDeepStrictEqual(found, expected))
          return `${name}: ${JSON.stringify(found)} and not ${JSON.stringify(expected)}`;
      }
      await hearAll(story, trace.at(-1)?.given ?? new Map());
      return null;
    } finally {
      for (const by of [...commands.keys()]) crash(story, by);
    }
  };
};
