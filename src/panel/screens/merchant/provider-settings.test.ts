import { CONNECTORS } from '../../../modules/providers/connectors.ts';
import { PROVIDER_SETTINGS } from './provider-settings.ts';

const offered = CONNECTORS.filter(({ ofMerchants }) => ofMerchants.length > 0);

describe('the settings of accounts that merchants have at providers', () => {
  it('are those that the gateway takes', () => {
    const shown = Object.entries(PROVIDER_SETTINGS).map(([name, { needed, further }]) => [
      name,
      [...needed, ...further].toSorted(),
    ]);
    const taken = offered.map(({ name, ofMerchants }) => [name, ofMerchants.toSorted()]);
    expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(taken));
  });

  it('are needed where the gateway needs them whatever the others are', () => {
    for (const { name, required } of offered)
      expect(required).toEqual(expect.arrayContaining([...(PROVIDER_SETTINGS[name]?.needed ?? [])]));
  });
});
