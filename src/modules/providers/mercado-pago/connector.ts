import Joi from 'joi';
import { object, string } from '../../../platform/http/typed.ts';
import { type Connector, providerAddress } from '../connector.ts';
import { createMercadoPago } from './mercado-pago.ts';
import { createMercadoPagoClient } from './mercado-pago-client.ts';
import { createRefundNames, refundNameMigrations } from './refund-names.store.ts';

type Settings = {
  readonly MERCADO_PAGO_ACCESS_TOKEN: string;
  readonly MERCADO_PAGO_WEBHOOK_SECRET: string;
  readonly MERCADO_PAGO_API_URL?: string;
};

const API = 'https://api.mercadopago.com';

const repeated = (): ReturnType<typeof string> =>
  string().allow('').max(128).description('A parameter of Mercado Pago, which the body repeats.');

/** A seller may register further parameters, which come back with each notification. */
const PARAMETERS = object({ 'data.id': repeated(), type: repeated() }).unknown();

/** Cards, Pix and boletos through an account of Brazil at Mercado Pago. */
export const mercadoPago = {
  name: 'mercado-pago',
  settings: {
    MERCADO_PAGO_ACCESS_TOKEN: Joi.string()
      .pattern(/^(APP_USR|TEST)-[\w-]{16,200}$/, { name: 'access token of Mercado Pago' })
      .when('NODE_ENV', {
        is: 'production',
        then: Joi.string().pattern(/^APP_USR-/, { name: 'live token, because a test token pays nobody' }),
      }),
    MERCADO_PAGO_WEBHOOK_SECRET: Joi.string().pattern(/^[\w-]{32,200}(,[\w-]{32,200})*$/, {
      name: 'one or more signing secrets of webhooks, comma-separated',
    }),
    MERCADO_PAGO_API_URL: providerAddress,
  },
  required: ['MERCADO_PAGO_ACCESS_TOKEN', 'MERCADO_PAGO_WEBHOOK_SECRET'],
  secrets: ['MERCADO_PAGO_ACCESS_TOKEN', 'MERCADO_PAGO_WEBHOOK_SECRET'],
  files: [],
  // The address is the installation's: card numbers go there.
  ofMerchants: ['MERCADO_PAGO_ACCESS_TOKEN', 'MERCADO_PAGO_WEBHOOK_SECRET'],
  shownOfMerchants: [],
  // The id of a payment is a number of about as many digits as a card's.
  addedToAddress: { query: PARAMETERS, notSearched: ['data.id'] },
  migrations: refundNameMigrations,
  create: ({ settings, db, clock, rest, timeoutMs, openHttp }) =>
    createMercadoPago({
      call: createMercadoPagoClient({
        send: openHttp({ timeoutMs }),
        rest,
        url: (settings.MERCADO_PAGO_API_URL ?? API).replace(/\/+$/, ''),
        accessToken: settings.MERCADO_PAGO_ACCESS_TOKEN,
      }),
      clock,
      names: createRefundNames(db),
      webhookSecrets: settings.MERCADO_PAGO_WEBHOOK_SECRET.split(','),
    }),
} satisfies Connector<Settings>;
