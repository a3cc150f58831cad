import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { volume } from '../../../../test/support/volume.ts';
import { newKeys } from '../../../../test/support/wallet-kit.ts';
import vectors from '../../../../test/support/wallet-vectors.json' with { type: 'json' };
import { decryptToken, deriveKey, hashMerchantIdentifier } from './decrypt-token.ts';
import { readProcessingCertificate } from './processing-certificate.ts';
import { verifySignature } from './verify-signature.ts';
import { readTokenBytes, type WalletToken } from './wallet-token.ts';

const MERCHANT = hashMerchantIdentifier('merchant.test.example');

const tokens = vectors.tokens.map(({ paymentData, ...processing }) => ({
  bytes: readTokenBytes({ paymentData, transactionIdentifier: 'x' } as WalletToken),
  processing,
}));
const [recent, early] = tokens.map(({ bytes, processing }) => ({
  bytes,
  processing,
  privateKey: createPrivateKey(processing.privateKey),
  merchantHash: hashMerchantIdentifier(processing.walletMerchantId),
}));

/** Published with spreedly/gala: tokens of real devices, with the keys of their certificates, long expired. */
describe('the published reference vectors', () => {
  it('derive the published key', () => {
    if (!recent) throw new Error('no vector');
    const ephemeral = createPublicKey({
      key: recent.bytes.ephemeralPublicKey,
      format: 'der',
      type: 'spki',
    });
    expect(deriveKey(recent.privateKey, ephemeral, recent.merchantHash).toString('base64')).toBe(
      '3GTXJ4RuP/IhS23hsdOw2J2ecAZmC0RasbPIFdC3nQM=',
    );
  });

  it.each([
    ['of 2021', recent, { applicationPrimaryAccountNumber: '5353756319181169', transactionAmount: 100 }],
    ['of 2014', early, { applicationPrimaryAccountNumber: '4109370251004320', transactionAmount: 100 }],
  ])('%s decrypt', (_, vector, expected) => {
    if (!vector) throw new Error('no vector');
    expect(JSON.parse(decryptToken(vector.bytes, vector))).toMatchObject({
      ...expected,
      currencyCode: '840',
      paymentDataType: '3DSecure',
    });
  });

  it.each([
    ['of 2021', recent],
    ['of 2014', early],
  ])('%s are signed under the published root', (_, vector) => {
    if (!vector) throw new Error('no vector');
    const { bytes } = vector;
    const rules = { roots: [new X509Certificate(vectors.root)], signingWindowMs: Number.POSITIVE_INFINITY };
    expect(() => verifySignature(bytes.signature, bytes.signedContent, rules, new Date())).not.toThrow();
    const other = Buffer.concat([bytes.signedContent, Buffer.from([0])]);
    expect(() => verifySignature(bytes.signature, other, rules, new Date())).toThrow('message_digest');
  });

  it.each([
    ['of 2021', recent],
    ['of 2014', early],
  ])('%s name their certificate as the gateway would', (_, vector) => {
    if (!vector) throw new Error('no vector');
    const read = readProcessingCertificate(vector.processing, new Date('2015-01-01'));
    expect(read.publicKeyHash).toBe(vector.bytes.publicKeyHash.toString('base64'));
  });
});

describe('the derived key', () => {
  it('takes leading zeros of the shared coordinate along', () => {
    const privateKey = createPrivateKey({
      key: Buffer.from(
        'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgXc1LwsX7kL2XWnXAo30sVmqt7Exsplz7JfeHEFGuXrChRANCAAQXHziEWAFnkgnGZtjbAaQ/cbk9j3EeBfDw43zaFBYAdDVUNCYtkkKTU/F63/kZ2fvADKPyyYkao9TMMzUWh5jE',
        'base64',
      ),
      format: 'der',
      type: 'pkcs8',
    });
    const publicKey = createPublicKey({
      key: Buffer.from(
        'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAExx7pH3l/2zvVonoY/FnnZhVLKSqNX8WU+G/r7ncqcEr01pG5MbJfVTsnbb1QZnabqd3bbSaNFZVvDE7NXcEccQ==',
        'base64',
      ),
      format: 'der',
      type: 'spki',
    });
    expect(deriveKey(privateKey, publicKey, MERCHANT).toString('hex')).toBe(
      'ea25c1c944f186bba7cd387a03c45f8323300139d156c5e7fc18bf811b9f9117',
    );
  });

  it('is the same from both sides for any pair of keys', () => {
    const count = volume({ usual: 200, proof: 10_000 });
    for (let round = 0; round < count; round += 1) {
      const [merchant, device] = [newKeys(), newKeys()];
      const derived = deriveKey(merchant.privateKey, device.publicKey, MERCHANT);
      expect(derived).toHaveLength(32);
      expect(derived.equals(deriveKey(device.privateKey, merchant.publicKey, MERCHANT))).toBe(true);
    }
  });

  it('differs from merchant to merchant', () => {
    const [merchant, device] = [newKeys(), newKeys()];
    const other = hashMerchantIdentifier('merchant.test.other');
    expect(deriveKey(merchant.privateKey, device.publicKey, MERCHANT)).not.toEqual(
      deriveKey(merchant.privateKey, device.publicKey, other),
    );
  });
});
