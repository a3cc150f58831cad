import { createSecureContext } from 'node:tls';
import Joi from 'joi';
import { type Connector, type ConnectorDeps, isPem, pem, providerAddress } from '../connector.ts';
import { accessOf, type MannerSettings, mannerSettings } from './access.ts';
import { CALLBACK_ADDRESSES } from './addresses.ts';
import type { ReceivingAccount } from './cobr.ts';
import { INSTITUTIONS, institutionNamed } from './institutions.ts';
import { createPixNames, nameMigrations } from './names.store.ts';
import { createPixApi } from './pix-api.ts';
import { type CallPix, createPixClient } from './pix-client.ts';

type Settings = MannerSettings & {
  readonly PIX_API_CLIENT_ID: string;
  readonly PIX_API_CLIENT_SECRET?: string;
  readonly PIX_API_KEY: string;
  readonly PIX_API_ACCOUNT?: string;
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

const REQUIRED = [...ACCESS, 'PIX_API_CALLBACK_SECRET'];

/** The profile knows the addresses, and whether the client has a secret at all. */
const requiredWith = (given: Readonly<Record<string, unknown>>): readonly string[] => {
  const profile = institutionNamed(given.PIX_API_PROFILE);
  const authentication = given.PIX_API_TOKEN_AUTH ?? profile?.tokenAuthentication;
  const known = [
    ...(profile ? ['PIX_API_URL', 'PIX_API_TOKEN_URL'] : []),
    ...(authentication === 'none' ? ['PIX_API_CLIENT_SECRET'] : []),
  ];
  return [...REQUIRED.filter((setting) => !known.includes(setting)), ...(profile?.needs ?? [])];
};

/** A certificate in PEM, or PKCS#12 (RFC 7292) with its key in Base64. */
const certificate = Joi.string()
  .max(65_536)
  .custom((value: string, helpers) => {
    if (isPem(value, 'CERTIFICATE')) return value;
    const fault = isPkcs12(value)
      ? pkcs12Fault(value, helpers.state.ancestors[0].PIX_API_CERT_PASSWORD)
      : 'must be a CERTIFICATE in PEM, or PKCS#12';
    return fault === null ? value : helpers.message({ custom: `{{#label}} ${fault}` });
  });

/** Why the file cannot be used, with the way out; null where it can. Otherwise the first payment would fail by it. */
const pkcs12Fault = (value: string, passphrase: unknown): string | null => {
  try {
    createSecureContext({
      pfx: Buffer.from(value, 'base64'),
      ...(typeof passphrase === 'string' ? { passphrase } : {}),
    });
    return null;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ERR_CRYPTO_UNSUPPORTED_OPERATION') return IN_OLD_CIPHER;
    return message.includes('mac verify')
      ? 'does not open with PIX_API_CERT_PASSWORD'
      : 'is no whole file by PKCS#12';
  }
};

/** Institutions still hand out such files, and OpenSSL 3 opens none of them. */
const IN_OLD_CIPHER =
  'is encrypted by an old cipher (RC2): run "openssl pkcs12 -legacy -in old.p12 -nodes -out all.pem" and ' +
  '"openssl pkcs12 -export -in all.pem -out new.p12", and name new.p12';

/** A PFX is a SEQUENCE, whose first bytes are those of a long one. */
const isPkcs12 = (text: string): boolean => /^MI[A-Za-z0-9+/=\s]{100,}$/.test(text);

/** The key has a file of its own unless the certificate comes with it. */
const keyOfCertificate = pem('PRIVATE KEY').when('PIX_API_CERT', {
  switch: [
    { is: Joi.string().pattern(/^MI/), then: Joi.forbidden() },
    { is: Joi.exist(), then: Joi.required() },
  ],
});

/** `branch/number/kind`; an account without a branch begins with its number. */
const ACCOUNT =
  /^(?:(?<agencia>\d{1,4})\/)?(?<conta>[0-9A-Za-z-]{1,20})\/(?<tipoConta>CORRENTE|POUPANCA|PAGAMENTO)$/;

const accountOf = ({ PIX_API_ACCOUNT: text }: Settings): ReceivingAccount | null => {
  const { agencia, conta, tipoConta } = (text && ACCOUNT.exec(text)?.groups) || {};
  return conta && tipoConta ? { ...(agencia && { agencia }), conta, tipoConta } : null;
};

/** Any institution that offers the central bank's API Pix, by a profile or by single settings. */
export const pixApi = {
  name: 'pix-api',
  settings: {
    PIX_API_PROFILE: Joi.string().valid(...Object.keys(INSTITUTIONS)),
    PIX_API_URL: providerAddress,
    PIX_API_TOKEN_URL: providerAddress,
    PIX_API_CLIENT_ID: Joi.string(),
    PIX_API_CLIENT_SECRET: Joi.string(),
    ...mannerSettings,
    PIX_API_KEY: Joi.string().max(77),
    PIX_API_ACCOUNT: Joi.string().pattern(ACCOUNT, {
      name: 'an account as branch/number/kind, where the kind is CORRENTE, POUPANCA or PAGAMENTO',
    }),
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
  required: REQUIRED,
  requiredWith,
  secrets: ['PIX_API_CALLBACK_SECRET'],
  files: ['PIX_API_CERT', 'PIX_API_CERT_KEY', 'PIX_API_CA'],
  ofMerchants: [
    'PIX_API_PROFILE',
    ...ACCESS,
    'PIX_API_ACCOUNT',
    ...Object.keys(mannerSettings),
    'PIX_API_CERT_KEY',
    'PIX_API_CERT_PASSWORD',
    'PIX_API_CA',
    'PIX_API_CALLBACK_SECRET',
    'PIX_API_REGISTER_CALLBACK',
  ],
  shownOfMerchants: ['PIX_API_URL', 'PIX_API_TOKEN_URL', 'PIX_API_KEY', 'PIX_API_ACCOUNT'],
  secretAddresses: CALLBACK_ADDRESSES,
  migrations: nameMigrations,
  create: (deps) =>
    createPixApi({
      call: clientOf(deps),
      clock: deps.clock,
      noteUnreadable: deps.noteUnreadable,
      names: createPixNames(deps.db, deps.name),
      account: accountOf(deps.settings),
      key: deps.settings.PIX_API_KEY,
      callbackSecrets: secretsOf(deps.settings),
    }),
  /**
   * Registers the address of the callback for the receiver's key, and where mandates are offered for them and for their
   * charges; the institution adds `/pix`, `/rec` and `/cobr` to it.
   */
  prepare: (deps) => {
    const { name, settings, publicUrl } = deps;
    if (settings.PIX_API_REGISTER_CALLBACK !== 'true') return null;
    const call = clientOf(deps);
    const [secret] = secretsOf(settings);
    return async () => {
      const webhookUrl = `${publicUrl()}/v1/providers/${name}/notifications/${secret}`;
      const registers = [
        ['webhook', settings.PIX_API_KEY],
        ...(accountOf(settings) ? [['webhookrec'], ['webhookcobr']] : []),
      ];
      for (const register of registers) {
        const answer = await call('PUT', register, { webhookUrl });
        if (answer.status !== 'done')
          throw new Error(
            `the institution does not register the callback at ${register[0]}: ${answer.status}`,
          );
      }
    };
  },
} satisfies Connector<Settings>;

const secretsOf = ({ PIX_API_CALLBACK_SECRET }: Settings): readonly string[] =>
  PIX_API_CALLBACK_SECRET.split(',');

const clientOf = ({ settings, clock, rest, timeoutMs, openHttp }: ConnectorDeps<Settings>): CallPix =>
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
    rest,
    access: accessOf(settings),
    clientId: settings.PIX_API_CLIENT_ID,
    clientSecret: settings.PIX_API_CLIENT_SECRET ?? null,
  });
