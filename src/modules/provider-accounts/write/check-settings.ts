import { invalidInput } from '../../../kernel/errors.ts';
import { type KeyRing, seal } from '../../../platform/secrets.ts';
import { readMerchantSettings } from '../../providers/accounts.ts';
import { connectorNamed } from '../../providers/connectors.ts';
import type { MerchantAccountSecret } from '../../providers/merchant-accounts.ts';

export type Given = Readonly<Record<string, string>>;

/** Seals settings that are those of the provider. 400 where they are not. */
export type SealSettings = (provider: string, given: Given) => MerchantAccountSecret;

export const createSealSettings =
  (deps: { readonly sealing: KeyRing; readonly providerEnvironment: string }): SealSettings =>
  (provider, given) => {
    const connector = connectorNamed(provider);
    if (!connector) throw invalidInput([{ path: 'provider', message: 'provider is unknown' }]);
    const { settings, faults } = readMerchantSettings(connector, given, deps.providerEnvironment);
    if (faults.length > 0)
      throw invalidInput(faults.map(({ setting, message }) => ({ path: `settings.${setting}`, message })));
    return { sealedSettings: seal(deps.sealing, JSON.stringify(settings)) };
  };
