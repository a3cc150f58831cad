import { readFileSync } from 'node:fs';
import Joi from 'joi';
import type { Clock } from '../../kernel/clock.ts';
import type { OpenHttp } from '../../platform/outbound/http-client.ts';
import type { Migration } from '../../platform/write-store/migrate.ts';
import type { WriteStore } from '../../platform/write-store/mongo.ts';
import type { PaymentProvider } from './provider.ts';
import type { Rest } from './rest.ts';

/** Values of settings after validation, by their names. */
export type ProviderSettings = Readonly<Record<string, unknown>>;

export type ConnectorDeps<Settings> = {
  /** The account's, in addresses and in every charge. */
  readonly name: string;
  readonly settings: Settings;
  readonly db: WriteStore['db'];
  readonly clock: Clock;
  /** The account's, with the other processes. */
  readonly rest: Rest;
  /** For one request. */
  readonly timeoutMs: number;
  /** Counts what the provider said and nobody can read, so that somebody looks. */
  readonly noteUnreadable: () => void;
  /** Opens the way to the provider; it is shut again with the process. */
  readonly openHttp: OpenHttp;
  /** Where payers and providers reach this gateway. */
  readonly publicUrl: () => string;
};

/**
 * An address of notifications that only the provider knows:
 * `/v1/providers/{provider}/notifications/{secret}` with `path` behind it, which may be empty.
 */
export type SecretAddress = {
  readonly operationId: string;
  readonly path: '' | `/${string}`;
  readonly summary: string;
  readonly description: string;
  /** Describes the secret. */
  readonly secret: string;
  readonly query: Joi.ObjectSchema;
  readonly body: Joi.Schema;
};

/** The way to one kind of payment provider: a folder of its own, and one line in connectors.ts. */
export type Connector<Settings = never> = {
  /** In settings, in addresses and in every charge. */
  readonly name: string;
  /** Settings of its own with their rules. */
  readonly settings: Readonly<Record<string, Joi.Schema>>;
  /** Settings without which it does not work: all of them, or none of its own. */
  readonly required: readonly string[];
  /** The required settings beside the given ones, for a connector where some settings make others needless. */
  requiredWith?(given: ProviderSettings): readonly string[];
  /** Settings that hold secrets. */
  readonly secrets: readonly string[];
  /** Settings that name a file in the environment; the value is what the file holds. */
  readonly files: readonly string[];
  /** Settings of a merchant's own account; none: merchants have no accounts of it. */
  readonly ofMerchants: readonly string[];
  /** Settings of a merchant's own account that a second operator is shown: where money and calls go, never a secret. */
  readonly shownOfMerchants: readonly string[];
  /** Addresses of its notifications that hold a secret, besides the one that every connector has; absent without any. */
  readonly secretAddresses?: readonly SecretAddress[];
  /** Parameters that it adds to the address that every connector has; in some of them no card number is looked for. */
  readonly addedToAddress?: { readonly query: Joi.ObjectSchema; readonly notSearched: readonly string[] };
  readonly migrations: readonly Migration[];
  create(deps: ConnectorDeps<Settings>): PaymentProvider;
  /** Work at the start of a worker that the settings ask for, repeated until it is done; null where there is none. */
  prepare?(deps: ConnectorDeps<Settings>): (() => Promise<void>) | null;
};

const MAX_FILE_CHARACTERS = 65_536;
const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost'];

/** Address of a provider: https, and http for one on this machine outside production. */
export const providerAddress = Joi.string()
  .uri({ scheme: ['http', 'https'] })
  .pattern(/^[^?#@]+$/, { name: 'without credentials, query and fragment' })
  .when('NODE_ENV', { is: 'production', then: Joi.string().uri({ scheme: 'https' }) })
  .custom((value: string, helpers) => {
    const { protocol, hostname } = new URL(value);
    return protocol === 'https:' || LOOPBACK.includes(hostname)
      ? value
      : helpers.message({ custom: '{{#label}} must begin with https: unless it is a loopback address' });
  });

/** Whether a value leads somewhere. Where a merchant gives one, it may not lead into the gateway's own network. */
export const isAddress = (value: unknown): value is string =>
  typeof value === 'string' && /^https?:/i.test(value);

/** Text in PEM; `kind` as PEM names it. */
export const pem = (kind: string): Joi.StringSchema =>
  Joi.string()
    .max(MAX_FILE_CHARACTERS)
    .custom((value: string, helpers) =>
      isPem(value, kind) ? value : helpers.message({ custom: `{{#label}} must be a ${kind} in PEM` }),
    );

export const isPem = (text: string, kind: string): boolean =>
  text.includes('-----BEGIN ') && text.includes(`${kind}-----`);

/** The content of a file: text in PEM as it is, and bytes in Base64. */
export const contentOfFile = (name: string): string => {
  const bytes = readFileSync(name);
  const text = bytes.toString('utf8');
  return text.includes('-----BEGIN ') ? text : bytes.toString('base64');
};
