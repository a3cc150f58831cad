import Joi from 'joi';
import { MESSAGES_WITHOUT_VALUES } from '../../platform/messages-without-values.ts';
import { type Connector, contentOfFile, type ProviderSettings } from './connector.ts';
import { CONNECTORS } from './connectors.ts';

/**
 * An account at a provider with its settings: `stripe`, another one of the installation (`stripe.eu`), or a merchant's.
 */
export type ProviderAccount = {
  /** In addresses and in every charge. */
  readonly name: string;
  readonly connector: string;
  /** Values after validation, by the names of the connector's settings. */
  readonly settings: ProviderSettings;
  /** Whether a merchant chose addresses in them, so that none of them may lead into the gateway's own network. */
  readonly isGuarded?: boolean;
};

type Variables = Readonly<Record<string, unknown>>;
type Fault = { readonly setting: string; readonly message: string };

/** `STRIPE_SECRET_KEY__EU` is that setting of the account `stripe.eu`. */
const SUFFIX = /^(.+)__([A-Z][A-Z0-9]{0,19})$/;

const suffixOf = (label: string | null): string => (label === null ? '' : `__${label}`);

/** Labels of the accounts of a connector that the variables have settings of, null for the one without. */
const labelsIn = ({ settings, required }: Connector, variables: Variables): readonly (string | null)[] => {
  const labels = Object.keys(variables).flatMap((variable) => {
    const [, setting = '', label] = SUFFIX.exec(variable) ?? [];
    return label !== undefined && required.length > 0 && Object.hasOwn(settings, setting) ? [label] : [];
  });
  return [null, ...new Set(labels)];
};

const nameOf = ({ name }: Connector, label: string | null): string =>
  label === null ? name : `${name}.${label.toLowerCase()}`;

/** Every name that a route may have: of connectors, and of further accounts with settings. */
export const accountNamesIn = (variables: Variables): readonly string[] =>
  CONNECTORS.flatMap((connector) => labelsIn(connector, variables).map((label) => nameOf(connector, label)));

/** Variables that hold secrets of providers. */
export const secretNamesIn = (variables: Variables): readonly string[] =>
  CONNECTORS.flatMap((connector) =>
    labelsIn(connector, variables).flatMap((label) =>
      connector.secrets.map((name) => `${name}${suffixOf(label)}`),
    ),
  );

/**
 * The accounts of the installation, by the process environment. Settings are missing from one that is `named` for live
 * keys, or that has some of them.
 */
export const readAccounts = (
  variables: Variables,
  named: readonly string[],
): { readonly accounts: readonly ProviderAccount[]; readonly faults: readonly string[] } => {
  const accounts: ProviderAccount[] = [];
  const faults: string[] = [];
  for (const connector of CONNECTORS)
    for (const label of labelsIn(connector, variables)) {
      const name = nameOf(connector, label);
      const variable = (setting: string): string => `${setting}${suffixOf(label)}`;
      const read = readFiles(connector, valuesIn(connector, variables, label));
      const checked = checkSettings(connector, read.values, variables, variable);
      const isMeant = named.includes(name) || Object.keys(read.values).length > 0;
      const missing = isMeant ? missingIn(connector, read.values) : [];
      const problems = [
        ...read.unreadable.map((setting) => `${variable(setting)} must name a file that can be read`),
        ...checked.faults.map(({ message }) => message),
        ...missing.map((setting) => `${variable(setting)} is required for the provider ${name}`),
      ];
      faults.push(...problems);
      const isComplete = isMeant || connector.required.length === 0;
      if (isComplete && problems.length === 0)
        accounts.push({ name, connector: connector.name, settings: checked.settings });
    }
  return { accounts, faults };
};

/** Settings of a merchant's own account; faults by the names of its settings. `surroundings` as in checkSettings. */
export const readMerchantSettings = (
  connector: Connector,
  given: Variables,
  surroundings: Variables,
): { readonly settings: ProviderSettings; readonly faults: readonly Fault[] } => {
  const unknown = Object.keys(given).filter((name) => !connector.ofMerchants.includes(name));
  const missing = missingIn(connector, given);
  const checked = checkSettings(connector, given, surroundings, inSettings);
  return {
    settings: checked.settings,
    faults: [
      ...unknown.map((setting) => ({
        setting,
        message: `${inSettings(setting)} is no setting of a merchant's account`,
      })),
      ...missing.map((setting) => ({ setting, message: `${inSettings(setting)} is required` })),
      ...checked.faults,
    ],
  };
};

/** As the request names it, so that the message and the path of a fault agree. */
const inSettings = (setting: string): string => `settings.${setting}`;

const missingIn = (connector: Connector, values: Variables): readonly string[] =>
  (connector.requiredWith?.(values) ?? connector.required).filter((setting) => values[setting] === undefined);

const valuesIn = ({ settings }: Connector, variables: Variables, label: string | null): Variables =>
  Object.fromEntries(
    Object.keys(settings).flatMap((setting) => {
      const value = variables[`${setting}${suffixOf(label)}`];
      return value === undefined ? [] : [[setting, value]];
    }),
  );

/** The values, with the contents of files in place of their names. */
const readFiles = ({ files }: Connector, values: Variables) => {
  const unreadable: string[] = [];
  const read = Object.entries(values).flatMap(([setting, value]) => {
    if (!files.includes(setting)) return [[setting, value]];
    try {
      return [[setting, contentOfFile(String(value))]];
    } catch {
      unreadable.push(setting);
      return [];
    }
  });
  return { values: Object.fromEntries(read) as Variables, unreadable };
};

const VALIDATION: Joi.ValidationOptions = {
  abortEarly: false,
  errors: { wrap: { label: false } },
  messages: MESSAGES_WITHOUT_VALUES,
};

/** Rules may look at the environment's `NODE_ENV` and `PUBLIC_URL`. */
const checkSettings = (
  connector: Connector,
  values: Variables,
  { NODE_ENV, PUBLIC_URL }: Variables,
  variable: (setting: string) => string,
): { readonly settings: ProviderSettings; readonly faults: readonly Fault[] } => {
  const rules = Object.entries(connector.settings).map(([setting, rule]) => [
    setting,
    rule.label(variable(setting)),
  ]);
  const { error, value } = Joi.object(Object.fromEntries(rules))
    .unknown()
    .validate({ NODE_ENV, PUBLIC_URL, ...values }, VALIDATION);
  return {
    settings: Object.fromEntries(Object.keys(connector.settings).map((setting) => [setting, value[setting]])),
    faults: (error?.details ?? []).map(({ path, message }) => ({ setting: String(path[0]), message })),
  };
};
