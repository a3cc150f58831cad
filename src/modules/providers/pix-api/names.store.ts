import type { Database } from '../../../platform/write-store/database.ts';
import { collections, type Migration } from '../../../platform/write-store/migrate.ts';

const MANDATES = 'pix_api_mandates';
const RETRIES = 'pix_api_retries';

export const nameMigrations: readonly Migration[] = [
  collections('481-pix-api-names', {
    [MANDATES]: [{ key: { idRec: 1 } }],
    [RETRIES]: [{ key: { txid: 1 } }],
  }),
  collections('482-pix-api-mandates-by-account', {
    [MANDATES]: [
      {
        key: { account: 1, idRec: 1 },
        unique: true,
        // Names of earlier releases have no account until they are written again.
        partialFilterExpression: { account: { $type: 'string' }, idRec: { $type: 'string' } },
      },
    ],
  }),
];

/**
 * A mandate that was asked for. An institution gives it a name of its own and knows none of ours, so that this gateway
 * keeps whose each is. Its location is made first: an institution takes one mandate for each, so that asking again makes
 * no second one.
 */
export type MandateName = {
  /** The payment method's id. */
  readonly reference: string;
  /** The institution's id of the location; null for a mandate that was ended before it was asked for. */
  readonly location: number | null;
  /** Reference of the charge that the payer pays along with approving; null without one. */
  readonly firstCharge: string | null;
  /** The institution's name of the mandate; null until it is known. */
  readonly idRec: string | null;
  /** Whether nobody may approve it any more. */
  readonly isEnded: boolean;
};

/** A retry, which an institution keeps with the first charge of its cycle and knows by nothing but its day. */
type RetryName = {
  /** The charge's id. */
  readonly reference: string;
  /** The `txid` of the first charge of the cycle. */
  readonly txid: string;
  /** ISO date on which the payer's bank is to pay. */
  readonly on: string;
  /** Whether it was withdrawn before it was asked for, so that it must not be any more. */
  readonly isWithdrawn: boolean;
  /** Whether it was to be withdrawn after it was asked for: a request that got lost is not repeated then. */
  readonly isUnwanted: boolean;
};

type NewRetry = Omit<RetryName, 'isWithdrawn' | 'isUnwanted'>;

export type PixNames = {
  /** Notes the location of a mandate that is about to be asked for; one that is known stays as it is. */
  openMandate(reference: string, location: number, firstCharge: string | null): Promise<MandateName>;
  settleMandate(reference: string, idRec: string): Promise<MandateName>;
  /** From then on the mandate is not asked for any more. */
  endMandate(reference: string): Promise<MandateName>;
  findMandate(reference: string): Promise<MandateName | null>;
  /**
   * The mandate with this name: the account's own, or else those of other accounts, because an institution tells of all
   * mandates of a receiver at one address.
   */
  mandatesOf(idRec: string): Promise<readonly MandateName[]>;
  /** Notes a retry that is about to be asked for; one that is known stays as it is. */
  openRetry(retry: NewRetry): Promise<RetryName>;
  /** Notes that a retry must not be asked for, or not again where it was asked for before. */
  withdrawRetry(retry: NewRetry): Promise<RetryName>;
  /** The retries of these first charges. */
  retriesOf(txids: readonly string[]): Promise<readonly RetryName[]>;
};

type Stored<T extends { readonly reference: string }> = Omit<T, 'reference'> & { readonly _id: string };
/** A mandate with the name of the account that asked for it. */
type StoredMandate = Stored<MandateName> & { readonly account?: string };

export const createPixNames = (db: Pick<Database, 'collection'>, account: string): PixNames => {
  const mandates = db.collection<StoredMandate>(MANDATES);
  const retries = db.collection<Stored<RetryName>>(RETRIES);

  const changeMandate = async (
    _id: string,
    set: Partial<Omit<MandateName, 'reference'>>,
    first: Omit<MandateName, 'reference'>,
  ): Promise<MandateName> => {
    const added = Object.entries(first).filter(([name]) => !Object.hasOwn(set, name));
    const stored = await mandates.findOneAndUpdate(
      { _id },
      { $setOnInsert: Object.fromEntries(added), $set: { ...set, account } },
      { upsert: true, returnDocument: 'after' },
    );
    return named(kept(stored));
  };
  const noteRetry = async (
    { reference: _id, ...retry }: Omit<RetryName, 'isUnwanted'>,
    set: { readonly isUnwanted?: true } = {},
  ): Promise<RetryName> => {
    const stored = await retries.findOneAndUpdate(
      { _id },
      { $setOnInsert: retry, ...(set.isUnwanted && { $set: set }) },
      { upsert: true, returnDocument: 'after' },
    );
    return retryOf(kept(stored));
  };
  const unknown = { location: null, firstCharge: null, idRec: null, isEnded: false };

  return {
    openMandate: (reference, location, firstCharge) =>
      changeMandate(reference, {}, { ...unknown, location, firstCharge }),
    settleMandate: (reference, idRec) => changeMandate(reference, { idRec }, unknown),
    endMandate: (reference) => changeMandate(reference, { isEnded: true }, unknown),
    async findMandate(_id) {
      const found = await mandates.findOne({ _id });
      return found && named(found);
    },
    async mandatesOf(idRec) {
      const found = await mandates.find({ idRec }).toArray();
      const own = found.filter((one) => one.account === account);
      return (own.length > 0 ? own : found).map(named);
    },
    openRetry: (retry) => noteRetry({ ...retry, isWithdrawn: false }),
    withdrawRetry: (retry) => noteRetry({ ...retry, isWithdrawn: true }, { isUnwanted: true }),
    async retriesOf(txids) {
      if (txids.length === 0) return [];
      const found = await retries.find({ txid: { $in: [...txids] } }).toArray();
      return found.map(retryOf);
    },
  };
};

const kept = <T>(stored: T | null): T => {
  if (stored === null) throw new Error('a name was not stored');
  return stored;
};

const named = ({ _id, location, firstCharge, idRec, isEnded }: Stored<MandateName>): MandateName => ({
  reference: _id,
  location,
  firstCharge,
  idRec,
  isEnded,
});

const retryOf = ({ _id, txid, on, isWithdrawn, isUnwanted }: Stored<RetryName>): RetryName => ({
  reference: _id,
  txid,
  on,
  isWithdrawn,
  isUnwanted: isUnwanted === true,
});
