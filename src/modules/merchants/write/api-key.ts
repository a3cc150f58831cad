import { randomInt } from 'node:crypto';
import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import { invalidInput, notFound } from '../../../kernel/errors.ts';
import { changed, created, type Decision, type MerchantRecord } from '../../../kernel/event.ts';
import type { Id } from '../../../kernel/ids.ts';
import { assertHeld, type MerchantPermission, ofKeys } from '../../../kernel/principal.ts';
import { type SecretStore, secretStore } from '../../../kernel/store.ts';
import { type KeyRing, lookupHashes, type Sealed, seal } from '../../../platform/secrets.ts';
import type { Merchant } from './merchant.ts';
import { apiKeyNotActive, merchantEnvironmentMismatch } from './refusals.ts';

type ApiKeyId = Id<'key'>;

/** A pair of keys, without the secret one: that is shown once and kept as a hash. */
export type ApiKey = MerchantRecord & {
  readonly id: ApiKeyId;
  readonly publicKey: string;
  /** The end of the secret key, by which a person tells keys apart. */
  readonly secretKeyEnding: string;
  /** For people; null without one. */
  readonly description: string | null;
  /** Permissions of the pair, out of the merchant's; null for all of them. */
  readonly permissions: readonly MerchantPermission[] | null;
  /** Networks (CIDR) that the secret key has to come from; empty: it may come from everywhere. */
  readonly allowedNetworks: readonly string[];
  /** From then on the pair is not accepted; null while no end is set. */
  readonly expiresAt: Timestamp | null;
  readonly revokedAt: Timestamp | null;
  /** The pair that took its place when it was rolled. */
  readonly rolledTo: ApiKeyId | null;
};

/** Secrets of an API key, stored beside it; no event and no answer has them. */
export type ApiKeySecret = {
  /**
   * One for each pepper of the process that made the pair. A pair last used with an unknown pepper has one for it, too.
   */
  readonly publicKeyHashes: readonly string[];
  readonly secretKeyHashes: readonly string[];
  /** For keys of sub-merchants, whose master may read them again; null for others. */
  readonly sealedSecretKey: Sealed | null;
};

export const API_KEYS: SecretStore<ApiKey> = secretStore('api_keys', 'api_key', {
  auditsEverybody: true,
  leased: 'changes',
});

/** The longest time that a rolled pair may stay valid. */
export const MAX_ROLL_SECONDS = 7 * 86_400;

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 32 characters of 62 are 190 random bits. */
const BODY_LENGTH = 32;
const ENDING_LENGTH = 4;

const KEY_FORMAT = new RegExp(`^(sk|pk)_(test|live)_[0-9A-Za-z]{${BODY_LENGTH}}$`);

export type KeyPair = { readonly publicKey: string; readonly secretKey: string };

export const newKeyPair = (livemode: boolean): KeyPair => {
  const environment = livemode ? 'live' : 'test';
  return { publicKey: `pk_${environment}_${randomBody()}`, secretKey: `sk_${environment}_${randomBody()}` };
};

const randomBody = (): string =>
  Array.from({ length: BODY_LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');

/** Which key of a pair this can be; null for what is no key, so that it is not even looked up. */
export const kindOfKey = (value: string): 'secret_key' | 'public_key' | null => {
  if (!KEY_FORMAT.test(value)) return null;
  return value.startsWith('sk_') ? 'secret_key' : 'public_key';
};

/** Terms of a pair; a successor has the same. */
export type KeyTerms = Pick<
  ApiKey,
  'livemode' | 'description' | 'permissions' | 'allowedNetworks' | 'expiresAt'
>;

export const unrestricted = (livemode: boolean): KeyTerms => ({
  livemode,
  description: null,
  permissions: null,
  allowedNetworks: [],
  expiresAt: null,
});

/**
 * 422 MERCHANT_ENVIRONMENT_MISMATCH for a key outside a sub-merchant's environment. 403 GRANT_NOT_HELD for permissions
 * that the merchant does not have. 400 for an end that has passed.
 */
export const issueApiKey = (
  merchant: Merchant,
  terms: KeyTerms,
  pair: KeyPair,
  id: ApiKeyId,
  now: Date,
): Decision<ApiKey> => {
  if (merchant.livemode !== null && merchant.livemode !== terms.livemode) throw merchantEnvironmentMismatch();
  if (terms.expiresAt !== null && terms.expiresAt <= timestamp(now))
    throw invalidInput([{ path: 'expiresAt', message: 'expiresAt must lie in the future' }]);
  assertHeld(ofKeys(merchant.permissions), terms.permissions ?? []);
  return created('api_key.created', now, {
    id,
    merchantId: merchant.id,
    livemode: terms.livemode,
    publicKey: pair.publicKey,
    secretKeyEnding: pair.secretKey.slice(-ENDING_LENGTH),
    description: terms.description,
    permissions: terms.permissions,
    allowedNetworks: terms.allowedNetworks,
    expiresAt: terms.expiresAt,
    revokedAt: null,
    rolledTo: null,
  });
};

/** Stored form of a pair: hashes, and for a sub-merchant the sealed secret key. */
export const keepSecret = (
  merchant: Merchant,
  pair: KeyPair,
  rings: { readonly pepper: KeyRing; readonly sealing: KeyRing },
): ApiKeySecret => ({
  publicKeyHashes: lookupHashes(rings.pepper, pair.publicKey),
  secretKeyHashes: lookupHashes(rings.pepper, pair.secretKey),
  sealedSecretKey: merchant.masterId === null ? null : seal(rings.sealing, pair.secretKey),
});

/** Ends a pair in favour of `successor`, at once or after a while. 422 API_KEY_NOT_ACTIVE for one that has ended. */
export const rollApiKey = (
  key: ApiKey,
  command: { readonly validForSeconds: number },
  successor: ApiKeyId,
  now: Date,
): Decision<ApiKey> => {
  if (key.rolledTo !== null || !isAccepted(key, now)) throw apiKeyNotActive();
  const endOfGrace = timestamp(new Date(now.getTime() + command.validForSeconds * 1000));
  return changed('api_key.rolled', key, now, {
    expiresAt: key.expiresAt !== null && key.expiresAt < endOfGrace ? key.expiresAt : endOfGrace,
    // Not by the clock of the process that looks it up, because without grace it must fail everywhere at once.
    revokedAt: command.validForSeconds === 0 ? timestamp(now) : null,
    rolledTo: successor,
  });
};

/** Null where it is revoked already: revoking again changes nothing. */
export const revokeApiKey = (key: ApiKey, now: Date): Decision<ApiKey> | null =>
  key.revokedAt === null ? changed('api_key.revoked', key, now, { revokedAt: timestamp(now) }) : null;

/** Names a pair of a merchant. */
export type KeyOf = {
  readonly merchantId: string;
  readonly keyId: string;
  /** Set where a pair of the other environment is not to be found. */
  readonly livemode?: boolean;
};

/** The pair that is named; 404 where there is none, or it is somebody else's. */
export const keyWithin = ({ merchantId, livemode }: KeyOf, key: ApiKey | null): ApiKey => {
  const isThere = key?.merchantId === merchantId && (livemode ?? key.livemode) === key.livemode;
  if (!isThere) throw notFound('API key');
  return key;
};

/** Present permissions of the pair. */
export const permissionsOfKey = (key: ApiKey, merchant: Merchant): readonly MerchantPermission[] => {
  const { permissions } = key;
  const held = ofKeys(merchant.permissions);
  return permissions === null ? held : held.filter((permission) => permissions.includes(permission));
};

/** Whether the pair authenticates at this moment. */
export const isAccepted = (key: ApiKey, now: Date): boolean =>
  key.revokedAt === null && (key.expiresAt === null || timestamp(now) < key.expiresAt);
