import Joi from 'joi';
import type { Connector } from '../connector.ts';
import { simulatorMigrations } from './simulator.store.ts';
import { createSimulator } from './simulator.ts';

type SimulatorSettings = { readonly SIMULATOR_LATENCY_MS: number; readonly PROVIDER_SECRET?: string };

const SECRET = 'PROVIDER_SECRET';

/** The provider of the test environment; with live keys in development only, because it pays nobody. */
export const simulator = {
  name: 'simulator',
  settings: {
    SIMULATOR_LATENCY_MS: Joi.number().integer().min(0).required(),
    [SECRET]: Joi.string().pattern(/^[^,]{32,}(,[^,]{32,})*$/, {
      name: 'one or more secrets of at least 32 characters, comma-separated',
    }),
  },
  required: [],
  secrets: [],
  files: [],
  ofMerchants: [],
  shownOfMerchants: [],
  migrations: simulatorMigrations,
  create: ({ settings, ...deps }) =>
    createSimulator({
      ...deps,
      latencyMs: settings.SIMULATOR_LATENCY_MS,
      secrets: settings.PROVIDER_SECRET?.split(',') ?? [],
    }),
} satisfies Connector<SimulatorSettings>;
