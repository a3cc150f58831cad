import type { Connector } from './connector.ts';
import { mercadoPago } from './mercado-pago/connector.ts';
import { pixApi } from './pix-api/connector.ts';
import { simulator } from './simulator/connector.ts';
import { stripe } from './stripe/connector.ts';

/** Every provider that this gateway can talk to: one line each. */
export const CONNECTORS: readonly Connector[] = [simulator, pixApi, stripe, mercadoPago];

/** Names of the settings of all connectors. */
export const CONNECTOR_SETTINGS: readonly string[] = CONNECTORS.flatMap(({ settings }) =>
  Object.keys(settings),
);

export const connectorNamed = (name: string): Connector | null =>
  CONNECTORS.find((connector) => connector.name === name) ?? null;
