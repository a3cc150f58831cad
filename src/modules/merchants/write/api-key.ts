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

type ApiKeyEvent = 'api_key.created' | 'api_key.revoked' | 'api_key.rolled' | 'api_key.secret_read';

/** A pair of API keys without the secret key, which is shown once and kept only as a hash. */
export type ApiKey = MerchantRecord & {
  readonly id: ApiKeyId;
  readonly publicKey: string;
  /** The end of the secret key, by which a person tells keys apart. */
  readonly secretKeyEnding: string;
  /** A note for people; null without one. */
  readonly description: string | null;
  /** The merchant's permissions that the pair has; null for all of them. */
  readonly permissions: readonly MerchantPermission[] | null;
  /** Networks (CIDR) that the secret key may be used from; empty for all networks. */
  readonly allowedNetworks: readonly string[];
  /** The pair is not accepted from then on; null where no end is set. */
  readonly expiresAt: Timestamp | null;
  readonly revokedAt: Timestamp | null;
  /** The pair that replaced it when it was rolled. */
  readonly rolledTo: ApiKeyId | null;
};

/** Secrets of an API key, stored beside it; neither events nor answers show them. */
export type ApiKeySecret = {
  /** One hash for each pepper that the process had when it made the pair, and one for the pepper of the last use. */
  readonly publicKeyHashes: readonly string[];
  readonly secretKeyHashes: readonly string[];
  /** Set for sub-merchants' keys, which their master may read again; null for others. */
  readonly sealedSecretKey: Sealed | null;
};

export const API_KEYS: SecretStore<ApiKey, ApiKeyEvent> = secretStore('api_keys', 'api_key', {
  auditsEverybody: true,
  leased: 'changes',
});

/** The longest time that a rolled pair may stay valid. */
export const MAX_ROLL_SECONDS = 7 * 86_400;

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 32 characters out of an alphabet of 62 are 190 random bits. */
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

/** Which key of a pair this may be; null for a text that cannot be a key and need not be looked up. */
export const kindOfKey = (value: string): 'secret_key' | 'public_key' | null => {
  if (!KEY_FORMAT.test(value)) return null;
  return value.startsWith('sk_') ? 'secret_key' : 'public_key';
};

/** Terms of a pair, which its successor takes over. */
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
 * A new pair. 422 MERCHANT_ENVIRONMENT_MISMATCH for an environment other than the sub-merchant's, 403 GRANT_NOT_HELD
 * for permissions that the merchant does not have, 400 for an end that has passed.
 */
export const issueApiKey = (
  merchant: Merchant,
  terms: KeyTerms,
  pair: KeyPair,
  id: ApiKeyId,
  now: Date,
): Decision<ApiKey, ApiKeyEvent> => {
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

/** The secrets of a pair in the form that is stored: hashes, and for a sub-merchant the sealed secret key. */
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
): Decision<ApiKey, ApiKeyEvent> => {
  if (key.rolledTo !== null || !isAccepted(key, now)) throw apiKeyNotActive();
  const endOfGrace = timestamp(new Date(now.getTime() + command.validForSeconds * 1000));
  return changed('api_key.rolled', key, now, {
    expiresAt: key.expiresAt !== null && key.expiresAt < endOfGrace ? key.expiresAt : endOfGrace,
    // Without a grace period the pair has to fail everywhere at once, so that no process's clock may matter.
    revokedAt: command.validForSeconds === 0 ? timestamp(now) : null,
    rolledTo: successor,
  });
};

/** Revokes a pair; null where it is revoked already, because revoking again changes nothing. */
export const revokeApiKey = (key: ApiKey, now: Date): Decision<ApiKey, ApiKeyEvent> | null =>
  key.revokedAt === null ? changed('api_key.revoked', key, now, { revokedAt: timestamp(now) }) : null;

/** Identifies a pair of a merchant. */
export type KeyOf = {
  readonly merchantId: string;
  readonly keyId: string;
  /** With an environment, a pair of the other one is not found. */
  readonly livemode?: boolean;
};

/** The pair; 404 for an unknown one and for one of another merchant. */
export const keyWithin = ({ merchantId, livemode }: KeyOf, key: ApiKey | null): ApiKey => {
  const isThere = key?.merchantId === merchantId && (livemode ?? key.livemode) === key.livemode;
  if (!isThere) throw notFound('API key');
  return key;
};

/** The permissions that the pair has at present. */
export const permissionsOfKey = (key: ApiKey, merchant: Merchant): readonly MerchantPermission[] => {
  const { permissions } = key;
  const held = ofKeys(merchant.permissions);
  return permissions === null ? held : held.filter((permission) => permissions.includes(permission));
};

/** Whether the pair authenticates at this moment. */
export const isAccepted = (key: ApiKey, now: Date): boolean =>
  key.revokedAt === null && (key.expiresAt === null || timestamp(now) < key.expiresAt);
