/** A call before or after a request, with variables of the collection such as `{{chargeId}}`. */
export type Call = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  /** Names of variables, each with the path of its value in the answer, such as `data.0.id`. */
  readonly save?: Readonly<Record<string, string>>;
};

/** Everything that a request needs besides the document's example in order to work on its own, and repeatedly. */
export type Prepared = {
  readonly key?: 'master';
  readonly before?: readonly Call[];
  readonly after?: readonly Call[];
  /** Values of parameters. */
  readonly values?: Readonly<Record<string, string>>;
  /** Members that replace those of the example's body. */
  readonly body?: object;
};

const CUSTOMER = { name: 'Ana Souza', email: 'ana@example.com' };
const CARD = {
  type: 'credit_card',
  installments: 1,
  number: '4242424242424242',
  holderName: 'ANA SOUZA',
  expirationMonth: '12',
  expirationYear: '2035',
  cvv: '123',
};

const charge = (paymentMethod: object, others: object = {}): Call => ({
  method: 'POST',
  path: '/v1/charges',
  body: { amount: 500, currency: 'BRL', customer: CUSTOMER, paymentMethod, ...others },
  save: { chargeId: 'id' },
});
const paid = charge(CARD);
const open = charge({ type: 'pix', installments: 1, expiresIn: 1800 });
/** A card of the simulator whose refunds wait for a test helper. */
const slowlyRefunded = charge({ ...CARD, number: '4000000000007726' });
const refund: Call = {
  method: 'POST',
  path: '/v1/refunds',
  body: { chargeId: '{{chargeId}}', reason: 'changed my mind' },
  save: { refundId: 'id' },
};
const note: Call = {
  method: 'POST',
  path: '/v1/notes',
  body: { resourceId: '{{chargeId}}', text: 'wants to wait' },
  save: { noteId: 'id' },
};
const takenBack: Call = { method: 'POST', path: '/v1/test-helpers/charges/{{chargeId}}/chargeback' };
const dispute: Call = {
  method: 'GET',
  path: '/v1/disputes?size=1&chargeId={{chargeId}}',
  save: { disputeId: 'data.0.id' },
};
const evidence: Call = {
  method: 'POST',
  path: '/v1/disputes/{{disputeId}}/evidence',
  body: { type: 'receipt', fileName: 'receipt.pdf', content: 'JVBERi0xLjQKJSVFT0YK' },
};
const settled: Call = {
  method: 'POST',
  path: '/v1/test-helpers/settlements/run',
  body: { until: '{{inOneYear}}' },
};

const customer: Call = {
  method: 'POST',
  path: '/v1/customers',
  body: CUSTOMER,
  save: { customerId: 'id' },
};
/** A customer by whose document institutions know the payer. */
const taxpayer: Call = { ...customer, body: { ...CUSTOMER, document: { type: 'cpf', id: '52998224725' } } };
const tokenOf = (number: string): Call => ({
  method: 'POST',
  path: '/v1/card-tokens',
  body: {
    number,
    holderName: CARD.holderName,
    expirationMonth: CARD.expirationMonth,
    expirationYear: CARD.expirationYear,
    cvv: CARD.cvv,
  },
  save: { cardToken: 'id' },
});
const cardToken = tokenOf(CARD.number);
/** A card of the simulator that can be stored but refuses each charge. */
const refusingCardToken = tokenOf('4000000000000341');
const TOKEN_AND_CONSENT = { token: '{{cardToken}}', consentAt: '2026-01-31T12:00:00Z' };
const storedCard: Call = {
  method: 'POST',
  path: '/v1/customers/{{customerId}}/payment-methods',
  body: TOKEN_AND_CONSENT,
  save: { paymentMethodId: 'id' },
};
const ofStoredCard: Prepared = {
  before: [customer, cardToken, storedCard],
  values: { id: '{{customerId}}', methodId: '{{paymentMethodId}}' },
};

const MANDATE = {
  type: 'pix_automatic',
  journey: 'qr',
  interval: 'month',
  amount: 49.9,
  startDate: '2035-02-01',
  retries: 'three_in_seven_days',
  contract: 'contract-1001',
  description: 'Gym membership',
};
const mandate: Call = {
  method: 'POST',
  path: '/v1/customers/{{customerId}}/payment-methods',
  body: MANDATE,
  save: { paymentMethodId: 'id' },
};
const approval: Call = {
  method: 'POST',
  path: '/v1/test-helpers/payment-methods/{{paymentMethodId}}/approve',
  body: {},
};
const ofMandate: Prepared = { before: [taxpayer, mandate], values: { id: '{{paymentMethodId}}' } };

const PLAN = { name: 'Monthly', amount: 49.9, currency: 'BRL', interval: 'month' };
const plan: Call = { method: 'POST', path: '/v1/plans', body: PLAN, save: { planId: 'id' } };
const ofPlan: Prepared = { before: [plan], values: { id: '{{planId}}' } };
const SUBSCRIPTION = {
  customerId: '{{customerId}}',
  planId: '{{planId}}',
  collection: 'automatic',
  paymentMethodId: '{{paymentMethodId}}',
};
const subscription: Call = {
  method: 'POST',
  path: '/v1/subscriptions',
  body: SUBSCRIPTION,
  save: { subscriptionId: 'id' },
};
const forSubscription = [customer, cardToken, storedCard, plan];
const ofSubscription: Prepared = {
  before: [...forSubscription, subscription],
  values: { id: '{{subscriptionId}}' },
};
const afterSubscription = (path: string, body: object): Prepared => ({
  ...ofSubscription,
  before: [
    ...forSubscription,
    subscription,
    { method: 'POST', path: `/v1/subscriptions/{{subscriptionId}}/${path}`, body },
  ],
});
/**
 * Moves the clock a year ahead: all attempts to charge the first cycle have then failed, and it may be charged again.
 */
const withFailedCycle: Prepared = {
  before: [
    customer,
    refusingCardToken,
    storedCard,
    plan,
    { ...subscription, body: { ...SUBSCRIPTION, trialDays: 1, onExhausted: 'pause' } },
    {
      method: 'POST',
      path: '/v1/test-helpers/subscriptions/{{subscriptionId}}/advance',
      body: { until: '{{inOneYear}}' },
    },
  ],
  values: { id: '{{subscriptionId}}', number: '1' },
};
const PERIOD_END = { when: 'period_end', reason: 'too expensive' };

const checkoutSession: Call = {
  method: 'POST',
  path: '/v1/checkout-sessions',
  body: { amount: 49.9, currency: 'BRL', description: 'Order 1001' },
  save: { checkoutSessionId: 'id' },
};
const ofCheckoutSession: Prepared = {
  before: [checkoutSession],
  values: { id: '{{checkoutSessionId}}' },
};

const paymentLink: Call = {
  method: 'POST',
  path: '/v1/payment-links',
  body: { amount: 49.9, currency: 'BRL', description: 'Ticket for Saturday' },
  save: { paymentLinkId: 'id' },
};
const ofPaymentLink: Prepared = { before: [paymentLink], values: { id: '{{paymentLinkId}}' } };

const ofCustomer: Prepared = { before: [customer], values: { id: '{{customerId}}' } };

const ENDPOINT = { url: 'https://example.com/hooks', events: ['charge.paid'] };
const endpoint: Call = {
  method: 'POST',
  path: '/v1/webhook-endpoints',
  body: ENDPOINT,
  save: { endpointId: 'id' },
};
/** Deletes the endpoint, because a merchant has at most 20. */
const withoutEndpoint: Call = { method: 'DELETE', path: '/v1/webhook-endpoints/{{endpointId}}' };
const delivery: Call = {
  method: 'GET',
  path: '/v1/webhook-deliveries?size=1&endpointId={{endpointId}}',
  save: { deliveryId: 'data.0.id' },
};
const firstSubmerchant: Call = {
  method: 'GET',
  path: '/v1/submerchants?size=1&status=active&orderBy=createdAt',
  save: { submerchantId: 'data.0.id' },
};
const newSubmerchant: Call = {
  method: 'POST',
  path: '/v1/submerchants',
  body: { legalName: 'Banca do Rui Ltda', email: 'rui@example.com' },
  save: { submerchantId: 'id' },
};
const shared = charge(CARD, { split: [{ merchantId: '{{submerchantId}}', percentage: 50 }] });

const ofCharge = (...before: readonly Call[]): Prepared => ({ before, values: { id: '{{chargeId}}' } });
const ofDispute = (...before: readonly Call[]): Prepared => ({
  before: [paid, takenBack, dispute, ...before],
  values: { id: '{{disputeId}}' },
});
const ofRefund = (of: Call): Prepared => ({ before: [of, refund], values: { id: '{{refundId}}' } });
const ofEndpoint: Prepared = {
  before: [endpoint],
  values: { id: '{{endpointId}}' },
  after: [withoutEndpoint],
};
const ofDelivery: Prepared = {
  before: [endpoint, paid, delivery],
  values: { id: '{{deliveryId}}' },
  after: [withoutEndpoint],
};
const ofSubmerchant = (submerchant: Call): Prepared => ({
  key: 'master',
  before: [submerchant],
  values: { id: '{{submerchantId}}' },
});

/** Preparations by the id of the operation; other operations need none. */
export const PREPARED: Readonly<Record<string, Prepared>> = {
  getCharge: ofCharge(paid),
  cancelCharge: ofCharge(open),
  getChargeTimeline: ofCharge(paid),
  getCustomer: ofCustomer,
  updateCustomer: ofCustomer,
  deleteCustomer: ofCustomer,
  createCustomerPaymentMethod: {
    before: [customer, cardToken],
    values: { id: '{{customerId}}' },
    body: TOKEN_AND_CONSENT,
  },
  listCustomerPaymentMethods: ofStoredCard,
  getCustomerPaymentMethod: ofStoredCard,
  deleteCustomerPaymentMethod: ofStoredCard,
  approveTestMandate: { ...ofMandate, body: {} },
  rejectTestMandate: ofMandate,
  cancelTestMandate: { before: [taxpayer, mandate, approval], values: { id: '{{paymentMethodId}}' } },
  createCvvToken: {
    before: [customer, cardToken, storedCard],
    body: { paymentMethodId: '{{paymentMethodId}}', cvv: CARD.cvv },
  },
  createPlan: { body: PLAN },
  getPlan: ofPlan,
  updatePlan: { ...ofPlan, body: { description: 'For one person.' } },
  // The document's example has a price of its own instead of a plan.
  createSubscription: {
    before: [customer, cardToken, storedCard],
    body: { customerId: SUBSCRIPTION.customerId, paymentMethodId: SUBSCRIPTION.paymentMethodId },
  },
  getSubscription: ofSubscription,
  updateSubscription: { ...ofSubscription, body: { description: 'For one person.' } },
  listSubscriptionCycles: ofSubscription,
  pauseSubscription: { ...ofSubscription, body: {} },
  resumeSubscription: afterSubscription('pause', {}),
  cancelSubscription: { ...ofSubscription, body: PERIOD_END },
  undoCancelSubscription: afterSubscription('cancel', PERIOD_END),
  getPaymentLink: ofPaymentLink,
  updatePaymentLink: ofPaymentLink,
  cancelPaymentLink: ofPaymentLink,
  getCheckoutSession: ofCheckoutSession,
  cancelCheckoutSession: ofCheckoutSession,
  retrySubscriptionCycle: withFailedCycle,
  openSubscriptionPortal: { ...ofSubscription, body: {} },
  advanceTestSubscription: { ...ofSubscription, body: { until: '{{inOneYear}}' } },
  // The requests after it go on at almost the same time.
  advanceTestClock: { body: { by: 'PT1S' } },
  createNote: { before: [paid], body: { resourceId: '{{chargeId}}' } },
  deleteNote: { before: [paid, note], values: { id: '{{noteId}}' } },
  createRefund: { before: [paid], body: { chargeId: '{{chargeId}}' } },
  getRefund: ofRefund(paid),
  getDispute: ofDispute(),
  attachDisputeEvidence: ofDispute(),
  submitDisputeEvidence: ofDispute(evidence),
  createWebhookEndpoint: { after: [{ ...withoutEndpoint, path: '/v1/webhook-endpoints/{{created}}' }] },
  getWebhookEndpoint: ofEndpoint,
  updateWebhookEndpoint: ofEndpoint,
  deleteWebhookEndpoint: { before: [endpoint], values: { id: '{{endpointId}}' } },
  testWebhookEndpoint: ofEndpoint,
  recoverWebhookEndpoint: ofEndpoint,
  getWebhookDelivery: ofDelivery,
  resendWebhookDelivery: ofDelivery,
  getEvent: {
    before: [
      paid,
      { method: 'GET', path: '/v1/events?size=1&resourceId={{chargeId}}', save: { eventId: 'data.0.id' } },
    ],
    values: { id: '{{eventId}}' },
  },
  // No day: that of the example may have passed.
  payTestCharge: { ...ofCharge(open), body: { on: undefined } },
  refuseTestCharge: ofCharge(charge({ ...CARD, number: '4000000000005126' })),
  failTestCharge: ofCharge(open),
  expireTestCharge: ofCharge(open),
  completeTestRefund: ofRefund(slowlyRefunded),
  refuseTestRefund: ofRefund(slowlyRefunded),
  failTestRefund: ofRefund(slowlyRefunded),
  confirmTestChargeback: ofCharge(paid),
  getStatementChain: { values: { currency: 'BRL' } },
  explainStatementEntry: {
    before: [paid, { method: 'GET', path: '/v1/statement?size=1', save: { entryId: 'data.0.id' } }],
    values: { id: '{{entryId}}' },
  },
  createPayoutRequest: { key: 'master', before: [paid, settled], body: { amount: 10_000 } },
  cancelPayoutRequest: {
    key: 'master',
    before: [
      paid,
      settled,
      {
        method: 'POST',
        path: '/v1/payout-requests',
        body: { amount: 10_000 },
        save: { payoutRequestId: 'id' },
      },
    ],
    values: { payoutRequestId: '{{payoutRequestId}}' },
  },
  createSubmerchantPayoutRequest: {
    key: 'master',
    before: [firstSubmerchant, shared, settled],
    values: { merchantId: '{{submerchantId}}' },
  },
  quoteAnticipation: { before: [paid], values: { amount: '100', currency: 'BRL' } },
  createAnticipation: { before: [paid] },
  getAnticipation: {
    before: [
      paid,
      {
        method: 'POST',
        path: '/v1/anticipations',
        body: { amount: 100, currency: 'BRL' },
        save: { anticipationId: 'id' },
      },
    ],
    values: { id: '{{anticipationId}}' },
  },
  listSubmerchants: { key: 'master' },
  createSubmerchant: { key: 'master' },
  getSubmerchant: ofSubmerchant(firstSubmerchant),
  updateSubmerchant: ofSubmerchant(newSubmerchant),
  listSubmerchantDocuments: ofSubmerchant(firstSubmerchant),
  uploadSubmerchantDocument: ofSubmerchant(newSubmerchant),
  getSubmerchantApiKeys: ofSubmerchant(firstSubmerchant),
  getSubAccountFees: ofSubmerchant(firstSubmerchant),
  search: { values: { q: 'ana' } },
};
