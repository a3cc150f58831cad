import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createWalletKit, PAYLOAD } from './wallet-kit.ts';

/**
 * Writes the files for the payment in docs/guide/payments.md: a wallet's root, a merchant's certificate with its key,
 * and a token.
 */
const FOLDER = 'dist/wallet';
const WALLET_MERCHANT = 'merchant.com.example';
const AMOUNT_MINOR = 129_90;

const kit = createWalletKit();
const processing = kit.processing({ walletMerchantId: WALLET_MERCHANT });
const token = kit.token({ processing, payload: { ...PAYLOAD, transactionAmount: AMOUNT_MINOR } });
const files = {
  'root.pem': kit.rootPem,
  'processing.pem': processing.certificate,
  'processing.key': processing.privateKey,
  'token.json': JSON.stringify(token),
};
mkdirSync(FOLDER, { recursive: true });
for (const [name, content] of Object.entries(files)) {
  writeFileSync(join(FOLDER, name), content);
  console.log(join(FOLDER, name));
}
