import type { Asking, PaymentProvider } from '../provider.ts';
import { newsIn } from './news.ts';
import { authorize, cancel, describePayment, tokenize } from './payments.ts';
import { describeRefund, type RefundDeps, refundPayment } from './refunds.ts';
import { isSigned } from './signature.ts';

/** Most instalments of an account of Brazil. */
const MAX_INSTALLMENTS = 12;

/**
 * Cards, Pix and boletos through Mercado Pago in Brazil. A payment is made with the charge's id as its name and as
 * idempotency key. So it is one payment however often it is asked for, and it is found by its name.
 */
export const createMercadoPago = (
  deps: RefundDeps & {
    /** With which notifications are signed; several while one is replaced. */
    readonly webhookSecrets: readonly string[];
  },
): PaymentProvider => ({
  name: 'mercado-pago',
  methods: ['credit_card', 'pix', 'voucher'],
  cards: { maxInstallments: MAX_INSTALLMENTS, wallets: false },
  tokenize: (request) => tokenize(deps.call, request),
  authorize: (request, asking = ASKED_BEFORE) => authorize(deps, request, asking),
  describePayment: (order) => describePayment(deps, order),
  cancel: (order) => cancel(deps, order),
  refund: (request, asking = ASKED_BEFORE) => refundPayment(deps, request, asking),
  describeRefund: (request) => describeRefund(deps, request),
  verify: async (delivery) => isSigned(delivery, { clock: deps.clock, secrets: deps.webhookSecrets }),
  notificationsIn: ({ body }) => newsIn(deps, body),
});

const ASKED_BEFORE: Asking = { isFirst: false };
