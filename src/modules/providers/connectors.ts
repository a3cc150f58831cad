import type Joi from 'joi';
import type { Connector, ProviderSettings } from './connector.ts';
import { pixApi } from './pix-api/connector.ts';
import { simulator } from './simulator/connector.ts';
import { stripe } from './stripe/connector.ts';

/** Every provider that this gateway can talk to: one line each. */
export const CONNECTORS: readonly Connector[] = [simulator, pixApi, stripe];

export const CONNECTOR_NAMES: readonly string[] = CONNECTORS.map(({ name }) => name);

/** Rules of the settings of all connectors. */
export const CONNECTOR_SETTINGS: Readonly<Record<string, Joi.Schema>> = Object.fromEntries(
  CONNECTORS.flatMap(({ settings }) => Object.entries(settings)),
);

export const CONNECTOR_SECRETS: readonly string[] = CONNECTORS.flatMap(({ secrets }) => secrets);

/** Whether the settings have what a connector needs. */
export const isConfigured = ({ required }: Connector, settings: ProviderSettings): boolean =>
  required.every((name) => settings[name] !== undefined);

/** Settings that are missing: of a provider that is `named` for live keys, or that has some of its own. */
export const missingSettings = (settings: ProviderSettings, named: readonly string[]): readonly string[] =>
  CONNECTORS.flatMap((connector) => {
    const isMeant =
      named.includes(connector.name) || connector.required.some((name) => settings[name] !== undefined);
    if (!isMeant) return [];
    return connector.required
      .filter((name) => settings[name] === undefined)
      .map((name) => `${name} is required for the provider ${connector.name}`);
  });
