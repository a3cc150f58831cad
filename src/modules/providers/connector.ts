import { readFileSync } from 'node:fs';
import Joi from 'joi';
import type { Clock } from '../../kernel/clock.ts';
import type { Migration } from '../../platform/write-store/migrate.ts';
import type { WriteStore } from '../../platform/write-store/mongo.ts';
import type { PaymentProvider } from './provider.ts';

/** Values of settings after validation, by their names. */
export type ProviderSettings = Readonly<Record<string, unknown>>;

export type ConnectorDeps<Settings> = {
  readonly settings: Settings;
  readonly db: WriteStore['db'];
  readonly clock: Clock;
  /** For one request. */
  readonly timeoutMs: number;
  /** Where payers and providers reach this gateway. */
  readonly publicUrl: () => string;
};

/** The way to one kind of payment provider: a folder of its own, and one line in connectors.ts. */
export type Connector<Settings = never> = {
  /** In settings, in addresses and in every charge. */
  readonly name: string;
  /** Settings of its own with their rules. */
  readonly settings: Readonly<Record<string, Joi.Schema>>;
  /** Settings without which it does not work: all of them, or none of its own. */
  readonly required: readonly string[];
  /** Settings that hold secrets. */
  readonly secrets: readonly string[];
  readonly migrations: readonly Migration[];
  create(deps: ConnectorDeps<Settings>): PaymentProvider;
  /** Work at the start of a worker that the settings ask for, repeated until it is done; null where there is none. */
  prepare?(deps: ConnectorDeps<Settings>): (() => Promise<void>) | null;
};

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

/** The name of a file in PEM, read at once; `kind` as PEM names it. */
export const pemFile = (kind: string): Joi.Schema =>
  Joi.string().custom((value: string, helpers) => {
    try {
      const text = readFileSync(value, 'utf8');
      if (text.includes('-----BEGIN ') && text.includes(`${kind}-----`)) return text;
    } catch {
      // The message below says the same.
    }
    return helpers.message({ custom: `{{#label}} must name a file with a ${kind} in PEM` });
  });
