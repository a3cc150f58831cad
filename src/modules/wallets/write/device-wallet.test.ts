import { X509Certificate } from 'node:crypto';
import { NOW } from '../../../../test/builders.ts';
import { createFakeLogger } from '../../../../test/fakes/logger.ts';
import { createFakeWriteStore } from '../../../../test/fakes/write-store.ts';
import { createWalletKit, type ProcessingKit } from '../../../../test/support/wallet-kit.ts';
import { systemContext } from '../../../kernel/event.ts';
import type { ChargeId } from '../../../kernel/ids.ts';
import { keyRing, seal } from '../../../platform/secrets.ts';
import type { OpenedToken } from '../../providers/wallet/open-token.ts';
import { readProcessingCertificate } from '../../providers/wallet/processing-certificate.ts';
import type { WalletToken } from '../../providers/wallet/wallet-token.ts';
import { createFindDeviceWallet } from './device-wallet.ts';
import { registerCertificate } from './wallet-certificate.ts';
import { SPENT_TOKENS } from './wallets.store.ts';

const kit = createWalletKit(() => NOW);
const sealing = keyRing(['a secret of the tests']);
const EXPECTED = { amount: 100_00, currency: 'BRL', payerName: 'Ana Souza' };
const CONTEXT = { ...systemContext('test'), requestId: 'request-1' };

const stored = (processing: ProcessingKit) => {
  const names = {
    id: 'wct_1',
    merchantId: 'mer_1',
    walletMerchantId: processing.walletMerchantId,
    displayName: 'Loja',
  } as const;
  const certificate = readProcessingCertificate(processing, NOW);
  const { data } = registerCertificate(names, certificate, null, NOW);
  return { ...data, secret: { sealedPrivateKey: seal(sealing, certificate.privateKey) } };
};

const setUp = async (
  processing: readonly ProcessingKit[],
  given: { readonly isConfigured?: boolean; readonly spent?: readonly string[] } = {},
) => {
  const { logger, fields: logged } = createFakeLogger();
  const store = createFakeWriteStore();
  const find = createFindDeviceWallet({
    options: {
      roots: given.isConfigured === false ? [] : [new X509Certificate(kit.rootPem)],
      signingWindowMs: 300_000,
    },
    findSealedCertificates: async () => processing.map(stored),
    isSpent: async (identifier) => given.spent?.includes(identifier) ?? false,
    sealing,
    clock: () => NOW,
    logger,
  });
  const wallet = await find('mer_1', CONTEXT);
  const spend = (opened: OpenedToken, chargeId: ChargeId): Promise<void> =>
    store.transact(CONTEXT, async (tx) => wallet?.spend(opened, chargeId, tx));
  return { wallet, logged, spend, kept: () => store.inserted(SPENT_TOKENS) };
};

describe('the device wallet of a merchant', () => {
  const [current, previous] = [kit.processing(), kit.processing()];

  it('is none without a root or without a certificate', async () => {
    expect((await setUp([current], { isConfigured: false })).wallet).toBeNull();
    expect((await setUp([])).wallet).toBeNull();
  });

  it.each([
    ['current', current],
    ['previous', previous],
  ])('opens tokens for its %s certificate with the sealed key', async (_, processing) => {
    const { wallet, logged } = await setUp([current, previous]);
    expect(wallet?.open(kit.token({ processing }), EXPECTED).card.number).toBe('4242424242424242');
    expect(logged).toEqual([]);
  });

  it('tells the client only that a token is not valid, and the log why', async () => {
    const { wallet, logged } = await setUp([previous]);
    const open = (token: WalletToken) => () => wallet?.open(token, EXPECTED);
    const refusal = expect.objectContaining({ statusCode: 422, code: 'WALLET_TOKEN_INVALID' });
    const [late, foreign] = [
      kit.token({ processing: previous, signingTime: new Date(0) }),
      kit.token({ processing: current }),
    ];
    expect(open(late)).toThrow(refusal);
    expect(open(foreign)).toThrow(refusal);
    expect(logged).toEqual([
      { requestId: 'request-1', merchantId: 'mer_1', fault: 'leaf_validity' },
      { requestId: 'request-1', merchantId: 'mer_1', fault: 'public_key_hash' },
    ]);
  });

  it('keeps a token that is spent under its signed identifier, and refuses it from then on', async () => {
    const token = { ...kit.token({ processing: current }), transactionIdentifier: 'Other' };
    const fresh = await setUp([current], { spent: ['other'] });
    const opened = fresh.wallet?.open(token, EXPECTED);
    if (!opened) throw new Error('no wallet');
    await fresh.spend(opened, 'chg_1');
    expect(fresh.kept()).toEqual([{ _id: opened.identifier, chargeId: 'chg_1' }]);
    const used = await setUp([current], { spent: [opened.identifier] });
    await expect(used.spend(opened, 'chg_2')).rejects.toMatchObject({ code: 'WALLET_TOKEN_INVALID' });
    expect(used.kept()).toEqual([]);
    expect(used.logged).toMatchObject([{ fault: 'spent' }]);
  });
});
