import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pixApi } from '../../../src/modules/providers/pix-api/connector.ts';
import type { MercadoPagoDouble } from '../mercado-pago/mercado-pago-double.ts';
import type { PixInstitution } from '../pix-api/institution.ts';
import type { StripeDouble } from '../stripe/stripe-double.ts';

type Settings = Readonly<Record<string, string>>;

/** Settings of an account at the institution, with contents of files instead of their names. */
export const pixSettings = (institution: PixInstitution, callbackSecret: string): Settings => {
  const { certificate, privateKey } = institution.issueClient();
  return {
    PIX_API_URL: institution.url,
    PIX_API_TOKEN_URL: institution.tokenUrl,
    PIX_API_CLIENT_ID: institution.client.id,
    PIX_API_CLIENT_SECRET: institution.client.secret,
    PIX_API_KEY: institution.key,
    PIX_API_CERT: certificate,
    PIX_API_CERT_KEY: privateKey,
    PIX_API_CA: institution.authority,
    PIX_API_CALLBACK_SECRET: callbackSecret,
  };
};

/** These settings as environment variables, with names of files that are written into the directory. */
export const pixVariables = (
  institution: PixInstitution,
  { callbackSecret, directory }: { readonly callbackSecret: string; readonly directory: string },
): Settings => {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const named = Object.entries(pixSettings(institution, callbackSecret)).map(([setting, value]) => {
    if (!pixApi.files.includes(setting)) return [setting, value];
    const file = join(directory, `${setting}.pem`);
    writeFileSync(file, value, { mode: 0o600 });
    return [setting, file];
  });
  return Object.fromEntries(named);
};

/** Settings of an account at Stripe's double; `suffix` names a further account, such as `__EU`. */
export const stripeSettings = (stripe: StripeDouble, suffix = ''): Settings => ({
  [`STRIPE_API_URL${suffix}`]: stripe.url,
  [`STRIPE_SECRET_KEY${suffix}`]: stripe.secretKey,
  [`STRIPE_WEBHOOK_SECRET${suffix}`]: stripe.webhookSecret,
});

/** Settings of an account at Mercado Pago's double. */
export const mercadoPagoSettings = (mercadoPago: MercadoPagoDouble): Settings => ({
  MERCADO_PAGO_API_URL: mercadoPago.url,
  MERCADO_PAGO_ACCESS_TOKEN: mercadoPago.accessToken,
  MERCADO_PAGO_WEBHOOK_SECRET: mercadoPago.webhookSecret,
});
