import { createPrivateKey, X509Certificate } from 'node:crypto';
import { later, NOW } from '../../../../test/builders.ts';
import {
  createWalletKit,
  MUTATIONS,
  PAYLOAD,
  type ProcessingKit,
} from '../../../../test/support/wallet-kit.ts';
import { hashMerchantIdentifier } from './decrypt-token.ts';
import { openToken } from './open-token.ts';
import { type WalletToken, WalletTokenRefused } from './wallet-token.ts';

const kit = createWalletKit(() => NOW);
const [current, previous] = [kit.processing(), kit.processing()];
const roots = [new X509Certificate(kit.rootPem)];
const EXPECTED = { amount: 100_00, currency: 'BRL', payerName: 'Bruno Lima' };

const open = (token: WalletToken, changes: Partial<typeof EXPECTED> = {}, trusted = roots, now = NOW) =>
  openToken(
    token,
    {
      roots: trusted,
      signingWindowMs: 300_000,
      findKey: (publicKeyHash) => {
        const found = [current, previous].find((processing) => processing.publicKeyHash === publicKeyHash);
        return found ? keyOf(found) : null;
      },
    },
    { ...EXPECTED, ...changes },
    now,
  );

const keyOf = ({ privateKey, walletMerchantId }: ProcessingKit) => ({
  privateKey: createPrivateKey(privateKey),
  merchantHash: hashMerchantIdentifier(walletMerchantId),
});

const faultOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof WalletTokenRefused) return error.fault;
    throw error;
  }
  return 'none';
};

describe('a token that a wallet made', () => {
  it('opens to its card, with a cryptogram in place of a cvv', () => {
    expect(open(kit.token({ processing: current })).card).toEqual({
      number: '4242424242424242',
      holderName: 'Ana Souza',
      expirationMonth: '12',
      expirationYear: '2035',
      cryptogram: PAYLOAD.paymentData.onlinePaymentCryptogram,
      eciIndicator: '5',
    });
  });

  it('is known by whom it is for and its signed identifier, whatever is sent beside it', () => {
    const transactionId = Buffer.alloc(32, 0xab);
    const token = kit.token({ processing: current, transactionId });
    const key = Buffer.from(token.paymentData.header.publicKeyHash, 'base64').toString('hex');
    for (const transactionIdentifier of [token.transactionIdentifier, 'Other'])
      expect(open({ ...token, transactionIdentifier }).identifier).toBe(`${key}:${'ab'.repeat(32)}`);
  });

  it('may carry application data', () => {
    const token = kit.token({ processing: current, applicationData: Buffer.alloc(32, 1) });
    expect(open(token).card.number).toBe('4242424242424242');
  });

  it('may be for the certificate before the current one', () => {
    expect(open(kit.token({ processing: previous })).card.number).toBe('4242424242424242');
  });

  it('may chain to any of several roots', () => {
    const other = new X509Certificate(createWalletKit(() => NOW).rootPem);
    expect(open(kit.token({ processing: current }), {}, [other, ...roots]).card.eciIndicator).toBe('5');
    expect(faultOf(() => open(kit.token({ processing: current }), {}, [other]))).toBe('root');
  });

  it('may bring its root along', () => {
    const token = kit.token({ processing: current, certificates: [kit.leaf, kit.intermediate, kit.root] });
    expect(open(token).card.number).toBe('4242424242424242');
  });

  it.each([
    ['without a name', undefined],
    ['with an empty name', ''],
  ])('%s is held by the payer', (_, cardholderName) => {
    const token = kit.token({ processing: current, payload: { cardholderName } });
    expect(open(token).card.holderName).toBe('Bruno Lima');
  });

  it('may lack an indicator of electronic commerce', () => {
    const paymentData = { onlinePaymentCryptogram: 'AMwBRjPWDnAgAA7Rls7mAoABFA==' };
    const token = kit.token({ processing: current, payload: { paymentData } });
    expect(open(token).card.eciIndicator).toBeNull();
  });

  it.each([
    ['JPY', '392', 500],
    ['AUD', '036', 500],
    ['AUD', '36', 500],
  ])('in %s names the currency as %s', (currency, currencyCode, amount) => {
    const token = kit.token({ processing: current, payload: { currencyCode, transactionAmount: amount } });
    expect(open(token, { currency, amount }).card.number).toBe('4242424242424242');
  });

  it('is good for five minutes', () => {
    const token = kit.token({ processing: current });
    expect(open(token, {}, roots, later(300)).card.number).toBe('4242424242424242');
    expect(faultOf(() => open(token, {}, roots, later(301)))).toBe('signing_time_window');
  });
});

describe('a token that is broken in one way', () => {
  it.each(MUTATIONS)('is refused: $name ($fault)', ({ fault, make }) => {
    expect(faultOf(() => open(make(kit, current)))).toBe(fault);
  });

  it('is refused where the charge is for something else', () => {
    const token = kit.token({ processing: current });
    expect(faultOf(() => open(token, { amount: 100_01 }))).toBe('amount');
    expect(faultOf(() => open(token, { currency: 'USD' }))).toBe('currency');
  });
});
