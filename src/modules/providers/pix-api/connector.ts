import Joi from 'joi';
import { type Connector, type ConnectorDeps, isPem, pem, providerAddress } from '../connector.ts';
import { createPixApi } from './pix-api.ts';
import { type CallPix, createPixClient } from './pix-client.ts';

type Settings = {
  readonly PIX_API_URL: string;
  readonly PIX_API_TOKEN_URL: string;
  readonly PIX_API_CLIENT_ID: string;
  readonly PIX_API_CLIENT_SECRET: string;
  readonly PIX_API_KEY: string;
  readonly PIX_API_CERT: string;
  readonly PIX_API_CERT_KEY?: string;
  readonly PIX_API_CERT_PASSWORD?: string;
  readonly PIX_API_CA?: string;
  readonly PIX_API_CALLBACK_SECRET: string;
  readonly PIX_API_REGISTER_CALLBACK?: string;
};

/** An account cannot be used without these. */
const ACCESS = [
  'PIX_API_URL',
  'PIX_API_TOKEN_URL',
  'PIX_API_CLIENT_ID',
  'PIX_API_CLIENT_SECRET',
  'PIX_API_KEY',
  'PIX_API_CERT',
] as const;

/** A certificate in PEM, or PKCS#12 (RFC 7292) with its key in Base64. */
const certificate = Joi.string()
  .max(65_536)
  .custom((value: string, helpers) =>
    isPem(value, 'CERTIFICATE') || isPkcs12(value)
      ? value
      : helpers.message({ custom: '{{#label}} must be a CERTIFICATE in PEM, or PKCS#12' }),
  );

/** A PFX is a SEQUENCE, whose first bytes are those of a long one. */
const isPkcs12 = (text: string): boolean => /^MI[A-Za-z0-9+/=\s]{100,}$/.test(text);

/** The key has a file of its own unless the certificate comes with it. */
const keyOfCertificate = pem('PRIVATE KEY').when('PIX_API_CERT', {
  switch: [
    { is: Joi.string().pattern(/^MI/), then: Joi.forbidden() },
    { is: Joi.exist(), then: Joi.required() },
  ],
});

/** Any institution that offers the central bank's API Pix. */
export const pixApi = {
  name: 'pix-api',
  settings: {
    PIX_API_URL: providerAddress,
    PIX_API_TOKEN_URL: providerAddress,
    PIX_API_CLIENT_ID: Joi.string(),
    PIX_API_CLIENT_SECRET: Joi.string(),
    PIX_API_KEY: Joi.string().max(77),
    PIX_API_CERT: certificate,
    PIX_API_CERT_KEY: keyOfCertificate,
    PIX_API_CERT_PASSWORD: Joi.string().max(256),
    PIX_API_CA: pem('CERTIFICATE'),
    // Part of an address, so without characters that an address would have to escape.
    PIX_API_CALLBACK_SECRET: Joi.string().pattern(/^[\w-]{32,200}(,[\w-]{32,200})*$/, {
      name: 'one or more secrets of at least 32 letters, digits, - and _, comma-separated',
    }),
    PIX_API_REGISTER_CALLBACK: Joi.string()
      .valid('true', 'false')
      .when('PUBLIC_URL', {
        is: Joi.exist(),
        otherwise: Joi.invalid('true').messages({
          'any.invalid': '{{#label}} needs PUBLIC_URL: the institution has to reach the callback',
        }),
      }),
  },
  required: [...ACCESS, 'PIX_API_CALLBACK_SECRET'],
  secrets: ['PIX_API_CALLBACK_SECRET'],
  files: ['PIX_API_CERT', 'PIX_API_CERT_KEY', 'PIX_API_CA'],
  ofMerchants: [
    ...ACCESS,
    'PIX_API_CERT_KEY',
    'PIX_API_CERT_PASSWORD',
    'PIX_API_CA',
    'PIX_API_CALLBACK_SECRET',
    'PIX_API_REGISTER_CALLBACK',
  ],
  shownOfMerchants: ['PIX_API_URL', 'PIX_API_TOKEN_URL', 'PIX_API_KEY'],
  migrations: [],
  create: (deps) =>
    createPixApi({
      call: clientOf(deps),
      clock: deps.clock,
      key: deps.settings.PIX_API_KEY,
      callbackSecrets: secretsOf(deps.settings),
    }),
  /** Registers the address of the callback for the receiver's key; the institution adds `/pix` to it. */
  prepare: (deps) => {
    const { name, settings, publicUrl } = deps;
    if (settings.PIX_API_REGISTER_CALLBACK !== 'true') return null;
    const call = clientOf(deps);
    const [secret] = secretsOf(settings);
    return async () => {
      const webhookUrl = `${publicUrl()}/v1/providers/${name}/notifications/${secret}`;
      const answer = await call('PUT', ['webhook', settings.PIX_API_KEY], { webhookUrl });
      if (answer.status !== 'done')
        throw new Error(`the institution does not register the callback: ${answer.status}`);
    };
  },
} satisfies Connector<Settings>;

const secretsOf = ({ PIX_API_CALLBACK_SECRET }: Settings): readonly string[] =>
  PIX_API_CALLBACK_SECRET.split(',');

const clientOf = ({ settings, clock, timeoutMs, openHttp }: ConnectorDeps<Settings>): CallPix =>
  createPixClient({
    send: openHttp({
      timeoutMs,
      identity: isPem(settings.PIX_API_CERT, 'CERTIFICATE')
        ? { certificate: settings.PIX_API_CERT, privateKey: settings.PIX_API_CERT_KEY }
        : {
            pkcs12: Buffer.from(settings.PIX_API_CERT, 'base64'),
            password: settings.PIX_API_CERT_PASSWORD,
          },
      authorities: settings.PIX_API_CA,
    }),
    clock,
    url: settings.PIX_API_URL,
    tokenUrl: settings.PIX_API_TOKEN_URL,
    clientId: settings.PIX_API_CLIENT_ID,
    clientSecret: settings.PIX_API_CLIENT_SECRET,
  });
