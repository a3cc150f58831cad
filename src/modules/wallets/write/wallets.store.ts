import type { Timestamp } from '../../../kernel/clock.ts';
import type { ChargeId, MerchantId } from '../../../kernel/ids.ts';
import { daysBefore, inBatches, type Removal } from '../../../platform/retention.ts';
import type { Database } from '../../../platform/write-store/database.ts';
import { collections, type Migration } from '../../../platform/write-store/migrate.ts';
import { RESOURCE_ONLY } from '../../../platform/write-store/mongo.ts';
import { idsBefore } from '../../../platform/write-store/ranges.ts';
import type { Transaction } from '../../../platform/write-store/transaction.ts';
import { identifierOf } from '../../providers/wallet/open-token.ts';
import {
  WALLET_CERTIFICATES,
  type WalletCertificate,
  type WalletCertificateSecret,
} from './wallet-certificate.ts';

/** Identifiers of used tokens, each with the charge that used it. */
export const SPENT_TOKENS = 'wallet_spent_tokens';
type SpentToken = { readonly _id: string; readonly chargeId: string };

export const walletMigrations: readonly Migration[] = [
  collections('160-wallets', {
    [WALLET_CERTIFICATES.collection]: [
      // A second guard beside the rule: one active certificate for a key.
      {
        key: { merchantId: 1, publicKeyHash: 1 },
        unique: true,
        partialFilterExpression: { active: true },
        name: 'one_active_of_a_key',
      },
    ],
    [SPENT_TOKENS]: [],
  }),
  {
    id: '161-spent-tokens-by-key',
    async up(db) {
      const spent = db.collection<SpentToken>(SPENT_TOKENS);
      for (const { _id, chargeId } of await spent.find().toArray()) {
        if (_id.includes(':')) continue;
        for (const identifier of await identifiersOf(db, chargeId, _id))
          await spent.replaceOne({ _id: identifier }, { chargeId }, { upsert: true });
        await spent.deleteOne({ _id });
      }
    },
  },
];

/**
 * The identifiers that the token of a charge may have been stored under: one for each key of the merchant, because the
 * charge does not say which one its token was for.
 */
const identifiersOf = async (
  db: Database,
  chargeId: string,
  transactionId: string,
): Promise<readonly string[]> => {
  const charge = await db
    .collection<{ _id: string; merchantId: MerchantId }>('charges')
    .findOne({ _id: chargeId });
  if (!charge) return [];
  const certificates = await db
    .collection<WalletCertificate>(WALLET_CERTIFICATES.collection)
    .find({ merchantId: charge.merchantId })
    .toArray();
  return certificates.map(({ publicKeyHash }) =>
    identifierOf({
      publicKeyHash: Buffer.from(publicKeyHash, 'base64'),
      transactionId: Buffer.from(transactionId, 'hex'),
    }),
  );
};

/** Finds the active certificate with this key, which a unique index limits to one. */
export type FindCertificateOfKey = (
  merchantId: MerchantId,
  publicKeyHash: string,
) => Promise<WalletCertificate | null>;

export const createFindCertificateOfKey =
  (db: Database): FindCertificateOfKey =>
  (merchantId, publicKeyHash) =>
    db
      .collection(WALLET_CERTIFICATES.collection)
      .findOne<WalletCertificate>({ merchantId, publicKeyHash, active: true }, { projection: RESOURCE_ONLY });

/** Finds a merchant's active certificates with their sealed keys. */
export type FindSealedCertificates = (
  merchantId: MerchantId,
) => Promise<readonly (WalletCertificate & { readonly secret: WalletCertificateSecret })[]>;

export const createFindSealedCertificates =
  (db: Database): FindSealedCertificates =>
  (merchantId) =>
    db
      .collection(WALLET_CERTIFICATES.collection)
      .find<WalletCertificate & { secret: WalletCertificateSecret }>(
        { merchantId, active: true },
        { projection: { _id: 0 } },
      )
      .toArray();

/** Finds when each active certificate of any merchant expires. */
export type FindExpiries = () => Promise<readonly Timestamp[]>;

export const createFindExpiries =
  (db: Database): FindExpiries =>
  async () => {
    const found = await db
      .collection(WALLET_CERTIFICATES.collection)
      .find<Pick<WalletCertificate, 'notAfter'>>({ active: true }, { projection: { _id: 0, notAfter: 1 } })
      .toArray();
    return found.map(({ notAfter }) => notAfter);
  };

/** Whether a token with this identifier was used before. */
export type IsSpent = (identifier: string) => Promise<boolean>;

export const createIsSpent =
  (db: Database): IsSpent =>
  async (identifier) =>
    (await db
      .collection<{ _id: string }>(SPENT_TOKENS)
      .findOne({ _id: identifier }, { projection: { _id: 1 } })) !== null;

/**
 * A token is accepted for at most a day before and after it was signed (WALLET_SIGNING_WINDOW_SECONDS), so its
 * identifier is needed no longer than this.
 */
const SPENT_KEPT_DAYS = 3;

/** Removes identifiers of tokens that are too old to be accepted anyway. */
export const createSpentTokenRemoval = ({ db }: { readonly db: Database }): Removal => ({
  what: 'identifiers of used wallet tokens',
  async run(now, signal) {
    const spent = db.collection<{ _id: string; chargeId: string }>(SPENT_TOKENS);
    const old = { chargeId: idsBefore('chg', daysBefore(now, SPENT_KEPT_DAYS)) };
    let removed = 0;
    for await (const batch of inBatches(spent, old, { _id: 1 }, signal))
      removed += (await spent.deleteMany({ _id: { $in: batch.map(({ _id }) => _id) } })).deletedCount;
    return removed;
  },
});

/**
 * Stores the identifier of a used token. Where two transactions store the same one, one collides, runs again and finds
 * it used.
 */
export const keepSpent = (identifier: string, chargeId: ChargeId, tx: Transaction): Promise<void> => {
  const spent: SpentToken = { _id: identifier, chargeId };
  return tx.insert(SPENT_TOKENS, spent);
};
