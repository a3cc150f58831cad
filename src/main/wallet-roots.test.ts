import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createWalletKit, pemOf } from '../../test/support/wallet-kit.ts';
import { loadConfig } from './config.ts';
import { readWalletRoots } from './wallet-roots.ts';

const [kit, other] = [createWalletKit(), createWalletKit()];

describe('the configured wallet roots', () => {
  it('may be several, while one is replaced', () => {
    expect(readWalletRoots(`${kit.rootPem}\n${other.rootPem}`)).toHaveLength(2);
  });

  it('may be written in one line', () => {
    expect(readWalletRoots(kit.rootPem.replaceAll('\n', '\\n'))).toHaveLength(1);
  });

  it('may be in a file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'portico-'));
    try {
      writeFileSync(join(folder, 'root.pem'), kit.rootPem);
      expect(readWalletRoots(join(folder, 'root.pem'))).toHaveLength(1);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it.each([
    ['nothing of the kind', '-----BEGIN NOTHING-----'],
    ['a certificate of nobody who may issue others', pemOf(kit.leaf)],
    ['a certificate that is broken', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'],
    ['a file that is not there', '/nowhere/root.pem'],
  ])('may not be %s', (_, value) => {
    expect(() => readWalletRoots(value)).toThrow();
    const fault =
      'WALLET_ROOT_CERT must be one or more certificates of an authority in PEM, or a file of them';
    expect(() => loadConfig({ WALLET_ROOT_CERT: value })).toThrow(fault);
  });
});
