import Joi from 'joi';
import { type Connector, providerAddress } from '../connector.ts';
import { createStripe } from './stripe.ts';
import { createStripeClient } from './stripe-client.ts';

type Settings = {
  readonly STRIPE_SECRET_KEY: string;
  readonly STRIPE_WEBHOOK_SECRET: string;
  readonly STRIPE_API_URL?: string;
};

const API = 'https://api.stripe.com';
const FILES = 'https://files.stripe.com';

/** Cards through Stripe. */
export const stripe = {
  name: 'stripe',
  settings: {
    STRIPE_SECRET_KEY: Joi.string()
      .pattern(/^(sk|rk)_(live|test)_\w{16,}$/, { name: 'secret or restricted key of Stripe' })
      .when('NODE_ENV', {
        is: 'production',
        then: Joi.string().pattern(/^.._live_/, { name: 'live key, because a test key pays nobody' }),
      }),
    STRIPE_WEBHOOK_SECRET: Joi.string().pattern(/^whsec_\w{16,}(,whsec_\w{16,})*$/, {
      name: 'one or more signing secrets of webhook endpoints, comma-separated',
    }),
    STRIPE_API_URL: providerAddress,
  },
  required: ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
  secrets: ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
  files: [],
  // The address is the installation's: card numbers go there.
  ofMerchants: ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
  shownOfMerchants: [],
  migrations: [],
  create: ({ settings, clock, rest, timeoutMs, openHttp, publicUrl }) =>
    createStripe({
      call: createStripeClient({
        send: openHttp({ timeoutMs }),
        rest,
        url: (settings.STRIPE_API_URL ?? API).replace(/\/+$/, ''),
        filesUrl: (settings.STRIPE_API_URL ?? FILES).replace(/\/+$/, ''),
        secretKey: settings.STRIPE_SECRET_KEY,
      }),
      clock,
      isLiveKey: settings.STRIPE_SECRET_KEY.includes('_live_'),
      webhookSecrets: settings.STRIPE_WEBHOOK_SECRET.split(','),
      returnUrl: () => `${publicUrl()}/pay/return`,
    }),
} satisfies Connector<Settings>;
