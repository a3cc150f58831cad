import Joi from 'joi';
import { createHttpClient } from '../../../platform/outbound/http-client.ts';
import { type Connector, type ConnectorDeps, pemFile, providerAddress } from '../connector.ts';
import { createPixApi } from './pix-api.ts';
import { type CallPix, createPixClient } from './pix-client.ts';

type Settings = {
  readonly PIX_API_URL: string;
  readonly PIX_API_TOKEN_URL: string;
  readonly PIX_API_CLIENT_ID: string;
  readonly PIX_API_CLIENT_SECRET: string;
  readonly PIX_API_KEY: string;
  readonly PIX_API_CERT: string;
  readonly PIX_API_CERT_KEY: string;
  readonly PIX_API_CA?: string;
  readonly PIX_API_CALLBACK_SECRET: string;
  readonly PIX_API_REGISTER_CALLBACK?: string;
};

const NAME = 'pix-api';

/** Any institution that offers the central bank's API Pix. */
export const pixApi = {
  name: NAME,
  settings: {
    PIX_API_URL: providerAddress,
    PIX_API_TOKEN_URL: providerAddress,
    PIX_API_CLIENT_ID: Joi.string(),
    PIX_API_CLIENT_SECRET: Joi.string(),
    PIX_API_KEY: Joi.string().max(77),
    PIX_API_CERT: pemFile('CERTIFICATE'),
    PIX_API_CERT_KEY: pemFile('PRIVATE KEY'),
    PIX_API_CA: pemFile('CERTIFICATE'),
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
  required: [
    'PIX_API_URL',
    'PIX_API_TOKEN_URL',
    'PIX_API_CLIENT_ID',
    'PIX_API_CLIENT_SECRET',
    'PIX_API_KEY',
    'PIX_API_CERT',
    'PIX_API_CERT_KEY',
    'PIX_API_CALLBACK_SECRET',
  ],
  secrets: ['PIX_API_CALLBACK_SECRET'],
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
    const { settings, publicUrl } = deps;
    if (settings.PIX_API_REGISTER_CALLBACK !== 'true') return null;
    const call = clientOf(deps);
    const [secret] = secretsOf(settings);
    return async () => {
      const webhookUrl = `${publicUrl()}/v1/providers/${NAME}/notifications/${secret}`;
      const answer = await call('PUT', ['webhook', settings.PIX_API_KEY], { webhookUrl });
      if (answer.status !== 'done')
        throw new Error(`the institution does not register the callback: ${answer.status}`);
    };
  },
} satisfies Connector<Settings>;

const secretsOf = ({ PIX_API_CALLBACK_SECRET }: Settings): readonly string[] =>
  PIX_API_CALLBACK_SECRET.split(',');

const clientOf = ({ settings, clock, timeoutMs }: ConnectorDeps<Settings>): CallPix =>
  createPixClient({
    send: createHttpClient({
      timeoutMs,
      certificate: settings.PIX_API_CERT,
      privateKey: settings.PIX_API_CERT_KEY,
      authorities: settings.PIX_API_CA,
    }),
    clock,
    url: settings.PIX_API_URL,
    tokenUrl: settings.PIX_API_TOKEN_URL,
    clientId: settings.PIX_API_CLIENT_ID,
    clientSecret: settings.PIX_API_CLIENT_SECRET,
  });
