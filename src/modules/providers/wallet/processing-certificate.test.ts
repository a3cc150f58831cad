import { later, NOW } from '../../../../test/builders.ts';
import { createWalletKit, newKeys } from '../../../../test/support/wallet-kit.ts';
import type { GatewayError } from '../../../kernel/errors.ts';
import { readProcessingCertificate } from './processing-certificate.ts';

const kit = createWalletKit(() => NOW);
const valid = kit.processing();

const faultsOf = (changes: Partial<typeof valid>): readonly string[] => {
  try {
    readProcessingCertificate({ ...valid, ...changes }, NOW);
  } catch (error) {
    const { statusCode, errors = [] } = error as GatewayError;
    return [String(statusCode), ...errors.map(({ path }) => path)];
  }
  return [];
};

const pem = (keys: ReturnType<typeof newKeys>, type: 'pkcs8' | 'sec1' = 'pkcs8'): string =>
  keys.privateKey.export({ format: 'pem', type }).toString();

describe('a processing certificate', () => {
  it('is known by the hash of its public key', () => {
    expect(readProcessingCertificate(valid, NOW)).toMatchObject({
      publicKeyHash: valid.publicKeyHash,
      privateKey: valid.privateKey,
    });
  });

  it('may come with its key in the older form', () => {
    expect(faultsOf({ privateKey: pem(valid.keys, 'sec1') })).toEqual([]);
  });

  it('need not say whose it is', () => {
    expect(faultsOf({ ...kit.processing({ isNamed: false }), walletMerchantId: 'merchant.any' })).toEqual([]);
  });

  it.each([
    ['that is no certificate', { certificate: 'certificate' }, ['certificate']],
    ['whose key is no key', { privateKey: 'key' }, ['privateKey']],
    ['with another key', { privateKey: pem(newKeys()) }, ['privateKey']],
    ['of another merchant', { walletMerchantId: 'merchant.test.other' }, ['walletMerchantId']],
    ['that has expired', kit.processing({ to: later(-1) }), ['certificate']],
    ['on another curve', kit.processing({ keys: newKeys('P-384') }), ['certificate']],
    ['with nothing right', { certificate: '', privateKey: '' }, ['certificate', 'privateKey']],
  ])('%s is refused', (_, changes, paths) => {
    expect(faultsOf(changes)).toEqual(['400', ...paths]);
  });

  it('is refused without repeating what was sent', () => {
    expect(() => readProcessingCertificate({ ...valid, privateKey: 'hunter2' }, NOW)).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('hunter2') }),
    );
  });
});
