import { later, NOW } from '../../../../test/builders.ts';
import {
  registerCertificate,
  removeCertificate,
  summarizeExpiry,
  type WalletCertificate,
} from './wallet-certificate.ts';

const COMMAND = {
  id: 'wct_1',
  merchantId: 'mer_1',
  walletMerchantId: 'merchant.test.example',
  displayName: 'Loja',
} as const;
const READ = { publicKeyHash: 'hash', notBefore: later(-10), notAfter: later(10), privateKey: 'key' };
const DAY = 86_400;

const register = (existing: WalletCertificate | null = null) =>
  registerCertificate(COMMAND, READ, existing, NOW);

describe('a wallet certificate', () => {
  it('is kept without its key', () => {
    expect(register()).toEqual({
      type: 'wallet_certificate.created',
      data: {
        ...COMMAND,
        version: 0,
        publicKeyHash: 'hash',
        notBefore: later(-10).toISOString(),
        notAfter: later(10).toISOString(),
        active: true,
        createdAt: NOW.toISOString(),
        updatedAt: NOW.toISOString(),
      },
    });
  });

  it('is refused where the merchant has one of the same key', () => {
    expect(() => register(register().data)).toThrow(
      expect.objectContaining({ statusCode: 422, code: 'WALLET_CERTIFICATE_ALREADY_EXISTS' }),
    );
  });

  it('is removed once', () => {
    const removed = removeCertificate(register().data, NOW);
    expect(removed).toMatchObject({ type: 'wallet_certificate.removed', data: { active: false } });
    expect(removed && removeCertificate(removed.data, NOW)).toBeNull();
  });
});

describe('the expiry of certificates', () => {
  it('counts those that have to be renewed by now, and names the first', () => {
    const expiries = [31 * DAY, 30 * DAY - 1, -1].map((seconds) => later(seconds).toISOString());
    expect(summarizeExpiry(expiries, NOW)).toEqual({ expiring: 2, firstAt: later(-1).toISOString() });
    expect(summarizeExpiry([], NOW)).toEqual({ expiring: 0, firstAt: null });
  });
});
