import { Secret, TOTP } from 'otpauth';
import type { Response } from 'supertest';
import { DAY_MS } from '../../src/kernel/durations.ts';
import { systemContext } from '../../src/kernel/event.ts';
import { type MerchantId, newId } from '../../src/kernel/ids.ts';
import { OPERATOR_PERMISSIONS } from '../../src/kernel/principal.ts';
import { txidOf } from '../../src/modules/providers/pix-api/references.ts';
import { signatureOf } from '../../src/modules/providers/simulator/signature.ts';
import { holdMoney } from '../../src/modules/suspense/write/hold-money.ts';
import * as platform from '../../src/platform/platform.module.ts';
import { aCardRequest, aPixRequest, aSpreadFee } from '../builders.ts';
import type { Method } from '../support/call.ts';
import { type Client, PATIENT, pollUntil, withKey, withToken } from '../support/client.ts';
import { pixSettings } from '../support/doubles/settings.ts';
import { startTestGateway, type TestMerchant, useGateway } from '../support/gateway.ts';
import { createLedgerTools } from '../support/ledger-tools.ts';
import { anOperator, logIn, type TestOperator } from '../support/operators.ts';
import { startPixInstitution } from '../support/pix-api/institution.ts';
import { createWalletKit } from '../support/wallet-kit.ts';

const PROVIDER_SECRET = 'the secret of the provider that is long enough';
const CALLBACK_SECRET = 'Nq7wLr5vXn2bYc7mHd4sJf8gPa1eUZk3';
const kit = createWalletKit();
const gateway = useGateway({ ...PATIENT, PROVIDER_SECRET, WALLET_ROOT_CERT: kit.rootPem });
const { aGroup } = createLedgerTools(gateway);

type Content = Readonly<
  Record<
    string,
    {
      readonly schema?: { readonly $ref?: string };
      readonly examples?: { readonly recorded?: { readonly value: unknown } };
    }
  >
>;
type Operation = {
  readonly method: Method;
  readonly path: string;
  readonly operationId: string;
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
};

/** Differences from the example, whose ids and codes are of records that are not here. */
type Changes = {
  readonly at?: readonly string[];
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
};

/** Cards by the answer of the sandbox to their refund. */
const PENDING_REFUND = '4000000000007726';
const REFUSED_REFUND = '4000000000005423';
/** A card that can be stored and is refused whenever it is charged. */
const REFUSED_LATER = '4000000000000341';

let operations: ReadonlyMap<string, Operation>;
let schemas: Readonly<Record<string, { readonly examples?: readonly unknown[] }>>;
const replayed = new Set<string>();
let merchant: TestMerchant;
let partner: Pick<TestMerchant, 'id' | 'testKey'>;
let seller: Client;
let operator: TestOperator;
let second: TestOperator;

beforeAll(async () => {
  const { body } = await gateway().call('get', '/v1/openapi.json').expect(200);
  const paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> = body.paths;
  ({ schemas } = body.components);
  const all = Object.entries(paths).flatMap(([path, described]) =>
    Object.entries(described).map(([method, operation]) => ({
      ...operation,
      method: method as Method,
      path,
    })),
  );
  operations = new Map(all.map((operation) => [operation.operationId, operation]));
  ({ merchant, partner } = await aGroup());
  seller = withKey(gateway, merchant.testKey);
  operator = await anOperator(gateway, OPERATOR_PERMISSIONS);
  second = await anOperator(gateway, OPERATOR_PERMISSIONS);
}, 180_000);

const recorded = (content: Content | undefined): unknown =>
  content?.['application/json']?.examples?.recorded?.value;

/** The example of a schema, where no test has sent one as an object. */
const ofSchema = (content: Content | undefined): unknown =>
  schemas[content?.['application/json']?.schema?.$ref?.split('/').at(-1) ?? '']?.examples?.[0];

const requestOf = ({ requestBody }: Operation, changes: object | undefined): unknown => {
  const example = recorded(requestBody?.content) ?? ofSchema(requestBody?.content);
  return example === undefined || Array.isArray(example) ? (changes ?? example) : { ...example, ...changes };
};

/** Sends the example of an operation, and holds the answer against the example of its status. */
const replay = async (
  by: Pick<Client, 'call'>,
  operationId: string,
  { at = [], query = {}, body }: Changes = {},
): Promise<Response['body']> => {
  const operation = operations.get(operationId);
  if (!operation) throw new Error(`the document has no operation ${operationId}`);
  const ids = [...at];
  const path = operation.path.replaceAll(/\{\w+\}/g, () => ids.shift() ?? '');
  const request = requestOf(operation, body);
  const ask = async (): Promise<Response> =>
    by
      .call(operation.method, `${path}?${new URLSearchParams(query)}`, request)
      .set('X-Consistency-Token', 'latest');
  // On a busy machine views, or the check of the ledger, may not be up to date yet.
  const answer = await pollUntil(ask, (answered) => answered.status !== 503);
  const { status, type } = answer;
  const described = operation.responses[status];
  const isDone = status < 300 && described !== undefined;
  expect([operationId, status, isDone ? null : answer.body]).toEqual([operationId, status, null]);
  const members = (one: unknown): readonly string[] => Object.keys((one ?? {}) as object);
  if (type === 'application/json')
    expect([operationId, members(answer.body)]).toEqual([operationId, members(recorded(described?.content))]);
  replayed.add(`${operationId} ${status}`);
  return answer.body;
};
/** Sends the examples of several operations, each alike. */
const replayAll = async (by: Pick<Client, 'call'>, ids: readonly string[], changes: Changes = {}) => {
  for (const operationId of ids) await replay(by, operationId, changes);
};

/** A provider proves itself by a signature over the bytes that it sends. */
const provider: Pick<Client, 'call'> = {
  call(method, path, message) {
    const body = JSON.stringify(message);
    const signature = signatureOf(PROVIDER_SECRET, Math.floor(Date.now() / 1_000), Buffer.from(body));
    return gateway().call(method, path).set('X-Provider-Signature', signature).type('json').send(body);
  },
};

/** Sets up a second factor; gives its recovery codes. */
const protect = async (by: Client): Promise<readonly string[]> => {
  const { secret } = await replay(by, 'startSecondFactor');
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  return (await replay(by, 'confirmSecondFactor', { body: { code } })).recoveryCodes;
};

const anExampleCharge = async (paymentMethod?: object): Promise<string> => {
  const body = { amount: 150, postbackUrl: undefined, ...(paymentMethod ? { paymentMethod } : {}) };
  return (await replay(seller, 'createCharge', { body })).id;
};
const aChargeWith = (number: string) => anExampleCharge(aCardRequest({}, { number }).paymentMethod);

describe('the examples of the document are answered with the status under which they stand, those for', () => {
  it('charges, refunds and test helpers', async () => {
    const id = await anExampleCharge();
    await replayAll(seller, ['getCharge', 'getChargeTimeline'], { at: [id] });
    const aPixCharge = () => anExampleCharge({ type: 'pix', installments: 1 });
    // A day of payment is for charges with a due date only.
    await replay(seller, 'payTestCharge', { at: [await aPixCharge()], body: { on: undefined } });
    for (const helper of ['refuseTestCharge', 'failTestCharge', 'expireTestCharge'])
      await replay(seller, helper, { at: [await aPixCharge()] });
    await replay(seller, 'createCardToken');
    await replay(seller, 'cancelCharge', { at: [await anExampleCharge({ type: 'pix', installments: 1 })] });
    const refund = await replay(seller, 'createRefund', { body: { chargeId: id } });
    await replay(seller, 'getRefund', { at: [refund.id] });
    for (const helper of ['completeTestRefund', 'refuseTestRefund', 'failTestRefund']) {
      const chargeId = await aChargeWith(PENDING_REFUND);
      const open = await replay(seller, 'createRefund', { body: { chargeId } });
      await replay(seller, helper, { at: [open.id] });
    }
    await replay(seller, 'confirmTestChargeback', { at: [await anExampleCharge()] });
    await replay(seller, 'search', { query: { q: id } });
    await replayAll(seller, ['listCharges', 'listRefunds', 'getOwnDefaultSplit', 'listPaymentMethods']);
    await replayAll(seller, ['createCheckoutSession', 'listCheckoutSessions']);
    const session = await replay(seller, 'createCheckoutSession');
    await replayAll(seller, ['getCheckoutSession', 'cancelCheckoutSession'], { at: [session.id] });
    await replayAll(seller, ['updateCheckoutSettings', 'putCheckoutLogo', 'getCheckoutSettings']);
    await replay(seller, 'removeCheckoutLogo');
    const link = await replay(seller, 'createPaymentLink');
    await replay(seller, 'listPaymentLinks');
    await replayAll(seller, ['getPaymentLink', 'updatePaymentLink', 'cancelPaymentLink'], { at: [link.id] });
    await replayAll(seller, ['getVolume']);
    await replayAll(operator, ['listChargesAsOperator']);
  });

  it('the ledger, adjustments, payouts and anticipations', async () => {
    const adjusted = async (merchantId: string): Promise<string> =>
      (await replay(operator, 'proposeAdjustment', { body: { merchantId, amount: 9_000 } })).id;
    for (const { id } of [merchant, partner])
      await replay(second, 'approveAdjustment', { at: [await adjusted(id)] });
    const refused = { at: [await adjusted(merchant.id)] };
    await replay(second, 'rejectAdjustment', refused);
    await replay(second, 'getAdjustment', refused);
    const asked = async (): Promise<string> => (await replay(seller, 'createPayoutRequest')).id;
    await replay(seller, 'createSubmerchantPayoutRequest', { at: [partner.id] });
    await replay(seller, 'cancelPayoutRequest', { at: [await asked()] });
    await replay(operator, 'rejectPayoutRequest', { at: [await asked()] });
    const paid = { at: [await asked()] };
    await replayAll(operator, ['approvePayoutRequest', 'recordPayoutTransfer', 'getPayoutRequest'], paid);
    await anExampleCharge({ ...aCardRequest().paymentMethod, installments: 3 });
    await replay(seller, 'quoteAnticipation', { query: { amount: '100', currency: 'BRL' } });
    const anticipation = await replay(seller, 'createAnticipation');
    await replay(seller, 'getAnticipation', { at: [anticipation.id] });
    await replay(seller, 'runTestSettlements');
    await replayAll(seller, ['getUpcomingSettlements']);
    await replayAll(seller, ['getBalance', 'listAnticipations', 'getStatementSummary']);
    await replay(seller, 'getStatementChain', { query: { currency: 'BRL' } });
    const { data } = await replay(seller, 'listStatement');
    await replay(seller, 'explainStatementEntry', { at: [data[0].id] });
    await replayAll(operator, ['listPayoutRequests', 'listAdjustments', 'listStatementAsOperator']);
    for (const name of ['Volume', 'Revenue', 'Balance', 'Payout', 'Reconciliation'])
      await replay(operator, `get${name}Report`);
  });

  it('chargeback alerts, manual refunds, suspense items and the erasure of a customer', async () => {
    const alert = await replay(operator, 'createChargebackAlert', {
      body: { chargeId: await aChargeWith(REFUSED_REFUND) },
    });
    await replay(operator, 'getChargebackAlert', { at: [alert.id] });
    const { data } = await replay(operator, 'listManualRefundRequests', { query: { status: 'pending' } });
    await replay(operator, 'resolveManualRefundRequest', { at: [data[0].id] });
    await replay(operator, 'confirmChargeback', { at: [await anExampleCharge()] });
    const { id: disputed } = await replay(operator, 'confirmChargeback', { at: [await anExampleCharge()] });
    const ofDispute = { at: [disputed.replace('chg_', 'dsp_')] };
    const { id: receipt } = await replay(seller, 'attachDisputeEvidence', ofDispute);
    await replayAll(seller, ['getDispute', 'submitDisputeEvidence'], ofDispute);
    await replay(operator, 'downloadDisputeEvidence', { at: [...ofDispute.at, receipt] });
    await replay(operator, 'closeDispute', ofDispute);
    await replayAll(seller, ['listDisputes']);
    for (const end of ['approve', 'reject']) {
      const at = [await stray()];
      await replay(operator, 'getSuspenseItem', { at });
      await replay(operator, 'proposeSuspenseClearing', { at, body: { merchantId: merchant.id } });
      await replay(second, `${end}SuspenseClearing`, { at });
    }
    await replayAll(operator, ['eraseCustomer', 'listChargebackAlerts', 'listSuspenseItems']);
    await replayAll(operator, ['listProviders', 'listProviderNotifications', 'listProposals']);
    await replayAll(operator, ['listAuditLog', 'getAuditChain']);
  });

  const retryOfACycle = async (customer: string): Promise<void> => {
    const token = await replay(seller, 'createCardToken', { body: { number: REFUSED_LATER } });
    const method = await replay(seller, 'createCustomerPaymentMethod', {
      at: [customer],
      body: { token: token.id },
    });
    const body = { customerId: customer, paymentMethodId: method.id, reference: 'contract-2' };
    const { id } = await replay(seller, 'createSubscription', { body });
    await replay(seller, 'retrySubscriptionCycle', { at: [id, '1'] });
    await replay(seller, 'cancelSubscription', { at: [id] });
    await replay(seller, 'deleteCustomerPaymentMethod', { at: [customer, method.id] });
  };

  it('customers', async () => {
    const { id } = await replay(seller, 'createCustomer');
    await replayAll(seller, ['getCustomer', 'updateCustomer'], { at: [id] });
    await replayAll(seller, ['listCustomers']);
    const { id: token } = await replay(seller, 'createCardToken');
    const method = await replay(seller, 'createCustomerPaymentMethod', { at: [id], body: { token } });
    await replayAll(seller, ['listCustomerPaymentMethods'], { at: [id] });
    await replay(seller, 'getCustomerPaymentMethod', { at: [id, method.id] });
    await replay(seller, 'createCvvToken', { body: { paymentMethodId: method.id } });
    const plan = await replay(seller, 'createPlan');
    await replayAll(seller, ['getPlan', 'updatePlan', 'listPlans'], { at: [plan.id] });
    await replay(seller, 'updatePlan', { at: [plan.id], body: { active: true } });
    const contract = { customerId: id, paymentMethodId: method.id };
    const at = { at: [(await replay(seller, 'createSubscription', { body: contract })).id] };
    await replayAll(seller, ['getSubscription', 'listSubscriptionCycles', 'updateSubscription'], at);
    await replay(seller, 'openSubscriptionPortal', at);
    await replayAll(seller, ['pauseSubscription', 'resumeSubscription'], at);
    await replay(seller, 'cancelSubscription', { ...at, body: { when: 'period_end' } });
    await replay(seller, 'undoCancelSubscription', at);
    const until = new Date(Date.now() + DAY_MS).toISOString();
    await replay(seller, 'advanceTestSubscription', { ...at, body: { until } });
    await replay(seller, 'cancelSubscription', at);
    await replayAll(seller, ['listSubscriptions', 'getSubscriptionReport']);
    await retryOfACycle(id);
    await replay(seller, 'deleteCustomerPaymentMethod', { at: [id, method.id] });
    await replay(seller, 'deleteCustomer', { at: [id] });
  });

  it('mandates of Pix Automático', async () => {
    const { id } = await replay(seller, 'createCustomer');
    const mandate = {
      ...{ type: 'pix_automatic', journey: 'qr', interval: 'month', amount: 49.9, retries: 'none' },
      startDate: new Date(Date.now() + 10 * DAY_MS).toISOString().slice(0, 10),
      ...{ contract: 'contract-1', description: 'Gym membership' },
    };
    const asked = async () => {
      const { body } = await seller.post(`/v1/customers/${id}/payment-methods`, mandate).expect(201);
      return { at: [body.id] };
    };
    const approved = await asked();
    await replayAll(seller, ['approveTestMandate', 'cancelTestMandate'], approved);
    await replay(seller, 'rejectTestMandate', await asked());
  });

  it('notes', async () => {
    const resourceId = await anExampleCharge();
    const { id } = await replay(seller, 'createNote', { body: { resourceId } });
    await replay(seller, 'listNotes', { query: { resourceId } });
    await replay(seller, 'deleteNote', { at: [id] });
  });

  it('the test clock', async () => {
    const apart = await startTestGateway({ TEST_CLOCK: '1' });
    const key = withKey(() => apart, (await apart.createMerchant()).testKey);
    await replayAll(key, ['advanceTestClock', 'getTestClock']);
    await apart.stop();
  });

  it('sub-merchants', async () => {
    const { id } = await replay(seller, 'createSubmerchant');
    const at = { at: [id] };
    await replayAll(seller, ['getSubmerchant', 'updateSubmerchant', 'getSubmerchantApiKeys'], at);
    await replayAll(seller, ['uploadSubmerchantDocument', 'listSubmerchantDocuments'], at);
    await replay(seller, 'getSubAccountFees', { at: [partner.id] });
    await replayAll(seller, ['listSubmerchants']);
    const { data } = await replay(operator, 'listSubmerchantDocumentsAsOperator', at);
    await replay(operator, 'downloadSubmerchantDocument', { at: [id, data[0].id] });
    await replayAll(operator, ['getSubmerchantAsOperator', 'setSubmerchantStatus'], at);
    await replayAll(operator, ['listSubmerchantsAsOperator']);
  });

  it('merchants, their keys, fees, splits and settings', async () => {
    const { id } = await replay(operator, 'createMerchant');
    const at = { at: [id] };
    await replayAll(operator, ['getMerchant', 'updateMerchant', 'replaceFeeDefinitions'], at);
    await replayAll(operator, ['getFeeDefinitions'], at);
    const delay = { body: { name: 'settlement_delay_days', content: { pix: 3 } } };
    await replayAll(operator, ['setMerchantSetting', 'setMerchantSetting'], { ...at, ...delay });
    const { data } = await replay(operator, 'listMerchantSettings', at);
    await replay(operator, 'removeMerchantSetting', { at: [id, data[0].name] });
    await replayAll(operator, ['listProviderAccounts'], at);
    await replayAll(operator, ['listMerchantWalletCertificates', 'listApiKeys'], at);
    await replayAll(operator, ['listMerchants', 'listWalletCertificates']);
    await replayAll(operator, ['setDefaultSetting', 'setDefaultSetting', 'listDefaultSettings']);
    const ofGroup = { at: [merchant.id] };
    const shares = { default: [{ merchantId: partner.id, percentage: 50 }], byPaymentMethod: {} };
    await replay(operator, 'replaceDefaultSplit', { ...ofGroup, body: shares });
    await replay(operator, 'getDefaultSplit', ofGroup);
    const key = await replay(operator, 'createApiKey', at);
    const rolled = await replay(operator, 'rollApiKey', { at: [id, key.id] });
    await replay(operator, 'revokeApiKey', { at: [id, rolled.id] });
    const owner = await gateway().createMerchant();
    await gateway().setFees(owner.id, [aSpreadFee(), aSpreadFee({ payment_method: 'pix' })]);
    await replayAll(withKey(gateway, owner.testKey), ['getOwnFees', 'listOwnSettings']);
  });

  it('keys and users of a merchant by one of its people', async () => {
    const group = { name: 'people of merchants', permissions: ['keys.manage', 'users.manage'] };
    await operator.post('/v1/admin/groups', group).expect(201);
    const login = { email: 'keeper@example.test', password: 'a long pass phrase of tests' };
    const keeper = { ...login, merchantId: merchant.id, groups: [group.name] };
    await operator.post('/v1/admin/users', keeper).expect(201);
    const by = await logIn(gateway, login);
    const key = await replay(by, 'createOwnApiKey');
    const rolled = await replay(by, 'rollOwnApiKey', { at: [key.id] });
    await replay(by, 'revokeOwnApiKey', { at: [rolled.id] });
    await replayAll(by, ['listOwnApiKeys', 'listPeopleGroups', 'listRequests']);
    await replayAll(operator, ['listRequestsAsOperator']);
    const colleague = { ...login, email: 'colleague@example.test', groups: [] };
    const { id } = await replay(by, 'createMerchantUser', { body: colleague });
    const at = { at: [id] };
    await protect(await logIn(gateway, colleague));
    await replayAll(by, ['getActor', 'getMerchantUser', 'resetMerchantUserSecondFactor'], at);
    await replayAll(by, ['updateMerchantUser', 'resetMerchantUserPassword'], at);
    await replayAll(by, ['listMerchantUsers']);
  });

  it('users, groups and sessions', async () => {
    const group = await replay(operator, 'createGroup');
    await replay(operator, 'updateGroup', { at: [group.name] });
    await replayAll(operator, ['listGroups']);
    const user = await replay(operator, 'createUser', { body: { groups: [group.name] } });
    const at = { at: [user.id] };
    await replayAll(operator, ['getUser'], at);
    await replayAll(operator, ['listUsers']);
    const { oneTimePassword: password } = await replay(operator, 'resetPassword', at);
    let cookie = '';
    const anonymous: Pick<Client, 'call'> = {
      call: (method, path, body) =>
        gateway()
          .call(method, path)
          .set('X-Requested-With', 'portico')
          .set('Cookie', cookie)
          .expect(({ headers }) => {
            [cookie = ''] = headers['set-cookie']?.[0]?.split(';') ?? [];
          })
          .send(body as object),
    };
    const logIn = async (changes: object) =>
      withToken(gateway, (await replay(anonymous, 'login', { body: changes })).accessToken);
    await replay(await logIn({ password }), 'changePassword', { body: { currentPassword: password } });
    const chosen = { password: 'another horse battery 0' };
    const herself = await logIn(chosen);
    await logIn(chosen);
    await replay(anonymous, 'refreshToken');
    await replayAll(herself, ['getMe']);
    const view = await replay(herself, 'saveView');
    await replayAll(herself, ['listSavedViews']);
    await replay(herself, 'removeView', { at: [view.id] });
    const { data } = await replay(herself, 'listSessions');
    const other = data.find((session: { readonly current: boolean }) => !session.current);
    await replay(herself, 'endSession', { at: [other.id] });
    const [first, next] = await protect(herself);
    const afterwards = await logIn({ ...chosen, code: first });
    await replay(afterwards, 'removeSecondFactor', { body: { code: next } });
    await protect(await logIn(chosen));
    await replay(operator, 'resetSecondFactor', at);
    const switching = await logIn(chosen);
    const byCookie: Pick<Client, 'call'> = {
      call: (method, path, body) => switching.call(method, path, body).set('Cookie', cookie),
    };
    await replay(byCookie, 'switchEnvironment');
    const last = await logIn(chosen);
    await replayAll(last, ['logout']);
    await replayAll(await logIn(chosen), ['endSessions']);
    await replay(operator, 'updateUser', at);
  });

  it('wallet certificates, and accounts and messages of providers', async () => {
    const institution = await startPixInstitution();
    const live = withToken(gateway, await gateway().operatorToken('live'));
    const owner = await gateway().createMerchant();
    const { certificate, privateKey } = kit.processing();
    const at = { at: [owner.id] };
    const registered = await replay(live, 'registerWalletCertificate', {
      ...at,
      body: { certificate, privateKey },
    });
    await replay(live, 'deleteWalletCertificate', { at: [owner.id, registered.id] });

    const settings = { body: { settings: pixSettings(institution, CALLBACK_SECRET) } };
    const account = await replay(live, 'createProviderAccount', { ...at, ...settings });
    const ofAccount = { at: [owner.id, account.id] };
    await replay(live, 'replaceProviderAccountSettings', { ...ofAccount, ...settings });
    const route = { name: 'live_providers', content: `pix=${account.name}` };
    await live.post(`/v1/merchants/${owner.id}/settings`, route).expect(201);
    const fee = aSpreadFee({ payment_method: 'pix', definition: { fixed: 1, percentages: [2] } });
    await gateway().setFees(owner.id, [fee]);
    const sold = withKey(gateway, owner.liveKey).post('/v1/charges', aPixRequest());
    const endToEndId = institution.pay(txidOf((await sold.expect(201)).body.id));
    const callback = { at: [account.name, CALLBACK_SECRET], body: { pix: [{ endToEndId }] } };
    await replay(provider, 'receivePixCallback', callback);
    const tried = { at: [account.name, CALLBACK_SECRET], body: { evento: 'teste_webhook', pix: undefined } };
    await replay(provider, 'receivePixCallbackAsRegistered', tried);
    const unknown = { at: [account.name, CALLBACK_SECRET] };
    const mandates = { recs: [{ idRec: `RR${'9'.repeat(27)}`, status: 'APROVADA' }] };
    await replay(provider, 'receiveMandateCallback', { ...unknown, body: mandates });
    const planned = { cobsr: [{ txid: 'other'.repeat(6), status: 'CONCLUIDA' }] };
    await replay(provider, 'receivePlannedChargeCallback', { ...unknown, body: planned });
    const { data } = (await live.getAfter('latest', '/v1/admin/provider-notifications')).body;
    await replay(live, 'processProviderNotificationAgain', { at: [data[0].id] });
    await replay(live, 'deleteProviderAccount', ofAccount);
    await institution.stop();

    const chargeId = await anExampleCharge({ type: 'pix', installments: 1 });
    const { pspRefId } = (await seller.get(`/v1/charges/${chargeId}`)).body;
    const paid = { at: ['simulator'], body: { reference: chargeId, pspRefId, amount: 150_00 } };
    await replay(provider, 'receiveProviderNotification', paid);
  });

  it('proposals that a second operator decides on', async () => {
    const payout = await replay(seller, 'createPayoutRequest');
    const rule = { TWO_PERSON_RULE: 'true', TWO_PERSON_PAYOUT_ABOVE_CENTS: '1' };
    const strict = await startTestGateway({ ...gateway().variables, ...rule, ROLE: 'api' });
    const anotherOperator = () => anOperator(() => strict, OPERATOR_PERMISSIONS);
    const [author, decider] = await Promise.all([anotherOperator(), anotherOperator()]);
    const third = await anOperator(gateway, OPERATOR_PERMISSIONS);
    await protect(third);
    const proposed = await replay(author, 'resetSecondFactor', { at: [third.id] });
    await replay(decider, 'getProposal', { at: [proposed.id] });
    await replay(decider, 'approveProposal', { at: [proposed.id] });
    const other = await replay(author, 'resetPassword', { at: [second.id] });
    await replay(decider, 'rejectProposal', { at: [other.id] });
    await replay(author, 'createGroup', { body: { name: 'those to come' } });
    await replay(author, 'updateGroup', { at: [second.group] });
    await replay(author, 'createUser', { body: { email: 'new@example.test', groups: [second.group] } });
    await replay(author, 'updateUser', { at: [second.id], body: { groups: [second.group] } });
    await replay(author, 'approvePayoutRequest', { at: [payout.id] });
    const ofMerchant = { at: [merchant.id] };
    const account = await replay(operator, 'createProviderAccount', ofMerchant);
    await replay(author, 'createProviderAccount', ofMerchant);
    await replay(author, 'replaceProviderAccountSettings', { at: [merchant.id, account.id] });
    const routed = (name: string) => ({ body: { name: 'live_providers', content: `pix=${name}` } });
    await replay(author, 'setMerchantSetting', { ...ofMerchant, ...routed(account.name) });
    await replay(author, 'setDefaultSetting', routed('simulator'));
    await operator
      .post(`/v1/merchants/${merchant.id}/settings`, {
        name: 'live_providers',
        content: `pix=${account.name}`,
      })
      .expect(201);
    await replay(author, 'removeMerchantSetting', { at: [merchant.id, 'live_providers'] });
    await strict.stop({ keepData: true });
  });

  // Lists show the events of all tests before.
  it('webhooks of merchants and operators', async () => {
    for (const [by, suffix] of [
      [seller, ''],
      [operator, 'AsOperator'],
    ] as const) {
      const owner = suffix === '' ? {} : { body: { merchantId: merchant.id } };
      const endpoint = await replay(by, `createWebhookEndpoint${suffix}`, owner);
      const at = { at: [endpoint.id] };
      for (const name of ['get', 'update', 'test', 'recover'])
        await replay(by, `${name}WebhookEndpoint${suffix}`, at);
      for (const name of ['WebhookEndpoints', 'WebhookDeliveries', 'Events'])
        await replay(by, `list${name}${suffix}`, { query: { size: '100' } });
      const { data } = (await by.getAfter('latest', `${suffix ? '/v1/admin' : '/v1'}/webhook-deliveries`))
        .body;
      const [{ id, eventId }] = data;
      await replay(by, `getWebhookDelivery${suffix}`, { at: [id] });
      await replay(by, `resendWebhookDelivery${suffix}`, { at: [id] });
      await replay(by, `getEvent${suffix}`, { at: [eventId] });
      await replay(by, `deleteWebhookEndpoint${suffix}`, at);
    }
  });

  // The tests before it have sent them.
  it('every success of every operation', () => {
    const successes = [...operations.values()].flatMap(({ operationId, responses }) =>
      Object.keys(responses)
        .filter((status) => status < '300')
        .map((status) => `${operationId} ${status}`),
    );
    expect(successes.length).toBeGreaterThan(operations.size);
    expect(successes.filter((one) => !replayed.has(one))).toEqual([]);
  });
});

/** Money that came a second time for a charge. */
const stray = async (): Promise<string> => {
  const chargeId = await anExampleCharge();
  const about = { provider: 'simulator', reason: 'second_payment', direction: 'in' } as const;
  const { id } = await gateway()
    .container.get(platform.services)
    .transact(systemContext('test'), (tx) =>
      holdMoney(
        tx,
        {
          ...about,
          livemode: false,
          reference: chargeId,
          pspRefId: `psp_${chargeId}`,
          amount: 150_00,
          currency: 'BRL',
          chargeId,
          accountOwnerId: null,
          merchantId: merchant.id as MerchantId,
        },
        new Date(),
        newId,
      ),
    );
  return id;
};
