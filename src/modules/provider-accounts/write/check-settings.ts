import { invalidInput } from '../../../kernel/errors.ts';
import { type GuardRules, urlFault } from '../../../platform/outbound/guarded-post.ts';
import { type KeyRing, seal } from '../../../platform/secrets.ts';
import { readMerchantSettings } from '../../providers/accounts.ts';
import type { ProviderOptions } from '../../providers/configured.ts';
import { isAddress } from '../../providers/connector.ts';
import { connectorNamed } from '../../providers/connectors.ts';
import type { MerchantAccountSecret } from '../../providers/merchant-accounts.ts';

export type Given = Readonly<Record<string, string>>;

type Options = Pick<ProviderOptions, 'environment' | 'configuredUrl'>;

/** Checks the settings of an account against its provider's, and seals them; 400 where they do not match. */
export type SealSettings = (provider: string, given: Given) => MerchantAccountSecret;

export const createSealSettings =
  (deps: {
    readonly sealing: KeyRing;
    readonly options: Options;
    readonly guardRules: GuardRules;
  }): SealSettings =>
  (provider, given) => {
    const connector = connectorNamed(provider);
    if (!connector) throw invalidInput([{ path: 'provider', message: 'provider is unknown' }]);
    const { settings, faults } = readMerchantSettings(connector, given, {
      NODE_ENV: deps.options.environment,
      PUBLIC_URL: deps.options.configuredUrl ?? undefined,
    });
    const internal = Object.entries(given).flatMap(([setting, value]) => {
      const fault = isAddress(value) ? urlFault(value, deps.guardRules) : null;
      return fault === null ? [] : [{ setting, message: `settings.${setting} ${fault}` }];
    });
    const all = [...faults, ...internal];
    if (all.length > 0)
      throw invalidInput(all.map(({ setting, message }) => ({ path: `settings.${setting}`, message })));
    return { sealedSettings: seal(deps.sealing, JSON.stringify(settings)) };
  };
