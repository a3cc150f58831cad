import type { Clock } from '../../kernel/clock.ts';
import { GatewayError } from '../../kernel/errors.ts';
import type { EnvironmentTime } from '../../platform/environment-time.ts';
import { chosenLocale } from '../../platform/http/html-page.ts';
import { type Reply, type Routes, route } from '../../platform/http/route.ts';
import { oneOf } from '../../platform/http/schemas.ts';
import { arrayOf, object, string } from '../../platform/http/typed.ts';
import type { SimulateOutcome } from '../charges/write/simulate-outcome.ts';
import type { CheckoutSession } from '../checkout/write/checkout-session.ts';
import type { LeaveCharge } from '../checkout/write/leave-charge.ts';
import { contextOf, payerOf } from '../checkout/write/pay-session.ts';
import type { FindByToken } from '../checkout/write/sessions.store.ts';
import type { SettleSubscription } from '../checkout/write/settle-subscription.ts';
import { checkoutHtml } from './checkout-page.ts';
import { askedOf, consentTextOf } from './choose-method.ts';
import type { GetPageContent } from './page-content.ts';
import { CHECKOUT_PARTS, type CheckoutPage, versionOf } from './page-frame.ts';
import {
  FORM,
  HTML,
  onPage,
  PAGE,
  type PageRequest,
  QUERY,
  reply,
  replyIfChanged,
  SEE_PAGE,
  seeOther,
} from './page-routes.ts';
import type { PayAsPayer } from './pay-as-payer.ts';
import { readPaymentForm } from './payment-form.ts';

type Deps = {
  findByToken: FindByToken;
  getPageContent: GetPageContent;
  payAsPayer: PayAsPayer;
  leaveCharge: LeaveCharge;
  settleSubscription: SettleSubscription;
  simulateOutcome: SimulateOutcome;
  clock: Clock;
  time: EnvironmentTime;
};

const pageOf = async (
  deps: Pick<Deps, 'getPageContent' | 'clock'>,
  session: CheckoutSession,
  request: PageRequest,
): Promise<CheckoutPage> => ({
  ...(await deps.getPageContent(session)),
  locale: chosenLocale(request.query.lang ?? session.locale, request.headers),
  isChosen: request.query.lang !== undefined,
  told: null,
  now: deps.clock(),
});

const lookOf = ({ locale, merchant: { accentStyle } }: CheckoutPage) => ({ locale, accentStyle });

const backTo = ({ token }: CheckoutSession, request: PageRequest): Reply =>
  seeOther(`/checkout/${token}`, request);

const integrityAnswer = object({
  parts: arrayOf(
    object({
      part: oneOf(['script', 'style']).description('Kind of the part.'),
      purpose: string().required().description('The reason why the page has it.'),
      integrity: string()
        .required()
        .description('SHA-256 as in the `integrity` attribute of HTML and in the policy of the page.'),
    }).label('CheckoutPart'),
  )
    .required()
    .description('All code of the page; it loads nothing.'),
}).label('CheckoutIntegrity');

/** The page of a checkout session. Its forms work without scripts: each answers with the page, or leads back to it. */
export const checkoutPageRoutes: Routes<Deps> = (deps) => [
  route({
    ...PAGE,
    method: 'get',
    operationId: 'getCheckoutIntegrity',
    path: '/checkout/integrity',
    summary: 'Read the hashes of the checkout page',
    description:
      'The code that the page of a checkout session runs, with its purpose and hash, for monitors that compare it with the page (PCI DSS 11.6.1). A gateway that was broken into answers as it likes: compare with the hashes of the release, too.',
    responses: { 200: { description: 'The parts of the page.', schema: integrityAnswer } },
    handle: async () => ({ status: 200, body: { parts: CHECKOUT_PARTS } }),
  }),
  route({
    ...PAGE,
    method: 'get',
    operationId: 'showCheckout',
    path: '/checkout/{token}',
    summary: 'Read the page of a checkout session',
    query: QUERY,
    responses: { 200: HTML, 304: { description: 'The page is as the request knows it.' } },
    handle: onPage(deps, deps.findByToken, async (session, request) => {
      const page = await pageOf(deps, session, request);
      const html = () => checkoutHtml(page);
      return replyIfChanged(request, { ...lookOf(page), version: versionOf(page), html });
    }),
  }),
  route({
    ...PAGE,
    method: 'post',
    operationId: 'payCheckout',
    path: '/checkout/{token}/pay',
    summary: 'Pay a checkout session',
    query: QUERY,
    otherBodyTypes: FORM,
    responses: { 200: HTML, ...SEE_PAGE },
    handle: onPage(deps, deps.findByToken, (session, request) => pay(deps, session, request)),
  }),
  route({
    ...PAGE,
    method: 'post',
    operationId: 'changeCheckoutMethod',
    path: '/checkout/{token}/change',
    summary: 'Pay a checkout session in another way',
    query: QUERY,
    otherBodyTypes: FORM,
    responses: SEE_PAGE,
    handle: onPage(deps, deps.findByToken, async (session, request) => {
      // A charge that cannot be ended yet goes on, which the page shows.
      await unlessRefused(deps.leaveCharge(session, contextOf(session, request.context)));
      return backTo(session, request);
    }),
  }),
  route({
    ...PAGE,
    method: 'post',
    operationId: 'simulateCheckout',
    path: '/checkout/{token}/simulate',
    summary: 'Play the payer of a checkout session in the test environment',
    query: QUERY,
    otherBodyTypes: FORM,
    responses: SEE_PAGE,
    handle: onPage(deps, deps.findByToken, async (session, request) => {
      await simulate(deps, session, request);
      return backTo(session, request);
    }),
  }),
];

const pay = async (deps: Deps, session: CheckoutSession, request: PageRequest): Promise<Reply> => {
  const page = await pageOf(deps, session, request);
  const sent = new URLSearchParams(request.rawBody.toString('utf8'));
  const offer = page.offers.find(({ type }) => type === sent.get('method'));
  const chosen = page.saved.find(({ id }) => id === sent.get('saved')) ?? null;
  if (!offer || (sent.has('saved') && !chosen)) return backTo(session, request);
  const asked = askedOf(page, offer);
  const { known, isLimited } = page;
  const form = readPaymentForm(request.rawBody, offer, { session, known, asked, isLimited, chosen });
  const consentText = consentTextOf(page);
  const command = { session, form, consentText, address: request.clientAddress };
  const paid = await deps.payAsPayer(command, request.context);
  if (paid.outcome === 'look') return backTo(session, request);
  const told = { ...paid, typed: form.typed, method: chosen?.id ?? offer.type };
  const fresh = (await deps.findByToken(session.token)) ?? session;
  // The charge may have begun before the fault: then the page shows where it stands.
  if (fresh.status !== 'open') return backTo(session, request);
  const html = checkoutHtml({ ...(await pageOf(deps, fresh, request)), told });
  return reply(html, lookOf(page), paid.status, paid.headers);
};

const simulate = async (deps: Deps, session: CheckoutSession, request: PageRequest): Promise<void> => {
  const { livemode, status } = session;
  if (livemode || status !== 'processing') return;
  const { charge } = await deps.getPageContent(session);
  if (charge === null) return;
  const context = contextOf(session, request.context);
  const principal = payerOf(session, context.actor, 'secret_key');
  const wanted = new URLSearchParams(request.rawBody.toString('utf8')).get('outcome');
  const outcome = wanted === 'paid' ? 'paid' : 'failed';
  await unlessRefused(deps.simulateOutcome({ principal, id: charge.id, outcome }, context));
  await deps.settleSubscription(session, context);
};

/** A refusal changes nothing, and the page shows where the session stands. */
const unlessRefused = async (command: Promise<unknown>): Promise<void> => {
  try {
    await command;
  } catch (error) {
    if (!(error instanceof GatewayError) || error.statusCode >= 500) throw error;
  }
};
