import { createHmac } from 'node:crypto';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Clock } from '../../../kernel/clock.ts';
import type {
  ChargeId,
  CheckoutSessionId,
  MerchantId,
  PaymentLinkId,
  PaymentMethodId,
} from '../../../kernel/ids.ts';
import { inTime } from '../../../platform/in-time.ts';
import type { Metrics } from '../../../platform/metrics.ts';
import { siteOf } from '../../../platform/networks.ts';
import { createLimiter, type LimitStore } from '../../../platform/rate-limit.ts';
import type { KeyRings } from '../../../platform/secrets.ts';
import { createProofOfWork } from './proof-of-work.ts';
import { proofOfWorkRequired } from './refusals.ts';

type Seller = { readonly merchantId: MerchantId; readonly livemode: boolean };

/**
 * Makes it expensive to try out stolen cards with a public key. Nobody is shut out: a token costs a proof of work while
 * it is asked for from a busy address, or while many of the merchant's cards are refused.
 */
export type CardTesting = {
  /** A keyed hash of the network that an address belongs to. */
  originOf(address: string): string;
  /** Counts an attempt, and returns the hash of its address; 429 PROOF_OF_WORK_REQUIRED with a challenge. */
  admit(
    attempt: Seller & {
      readonly address: string;
      readonly proof: string | null;
      /** The payment link that the card is typed for; absent where there is none. */
      readonly linkId?: PaymentLinkId | null;
    },
  ): Promise<string>;
  /** Notes how a payment with such a token ended. */
  noteOutcome(token: Typist, isRefused: boolean): Promise<void>;
  /**
   * Notes the answer to a payment. Where it is open, because the payer is at the bank for instance, `isRefused` is null,
   * and the token is remembered for a day for `noteLate`.
   */
  noteAnswer(id: Attempt, token: Typist, isRefused: boolean | null): Promise<void>;
  /** Notes how a payment ended whose answer was open; once, whoever learns of it, and nothing for any other payment. */
  noteLate(id: Attempt, isRefused: boolean): Promise<void>;
};

/** Where a card was typed: at which seller, from which address (a hash; null with a secret key), at which link. */
type Typist = Seller & { readonly origin: string | null; readonly linkId?: PaymentLinkId | null };

/** A payment, a card that is stored, or a session that does both. */
type Attempt = ChargeId | CheckoutSessionId | PaymentMethodId;

const TOKENS_OF_ADDRESS = { points: 10, duration: 60 };
const REFUSALS_OF_ADDRESS = { points: 10, duration: 3_600 };
const TOKENS_OF_MERCHANT = { points: 600, duration: 60 };
/** Where half of this many latest payments are refused, the merchant is considered under attack. */
const LAST_PAYMENTS = 20;
const KEPT_SECONDS = 86_400;
/** Bits that cost a phone about a second, and the number of times that they double, up to 16 seconds. */
const BITS = 17;
const MAX_STEPS = 4;

export const createCardTesting = (
  deps: LimitStore & { readonly keyRings: KeyRings; readonly clock: Clock; readonly metrics: Metrics },
): CardTesting => {
  const { pepper } = deps.keyRings;
  const ofAddress = createLimiter(deps, 'card-tokens-address', TOKENS_OF_ADDRESS);
  const refusalsOf = createLimiter(deps, 'card-refusals-address', REFUSALS_OF_ADDRESS);
  const ofMerchant = createLimiter(deps, 'card-tokens-merchant', TOKENS_OF_MERCHANT);
  const solved = createLimiter(deps, 'card-proofs', { points: 1, duration: 180 });
  const outcomes = createLastOutcomes(deps);
  const open = createOpenAttempts(deps);
  const proofs = createProofOfWork({ pepper, clock: deps.clock });

  /** How far the attempts exceed the number that needs no proof; 1 or less is within it. */
  const excessOf = async (seller: string, origin: string, linkId: PaymentLinkId | null): Promise<number> => {
    const key = `${seller}:${origin}`;
    const [tokens, ofAll, refused, refusedOfLink, isAttacked] = await Promise.all([
      ofAddress.penalty(key),
      ofMerchant.penalty(seller),
      refusalsOf.get(key),
      linkId === null ? null : refusalsOf.get(`${seller}:${linkId}`),
      outcomes.areHalfRefused(seller),
    ]);
    return Math.max(
      tokens.consumedPoints / TOKENS_OF_ADDRESS.points,
      ofAll.consumedPoints / TOKENS_OF_MERCHANT.points,
      (refused?.consumedPoints ?? 0) / REFUSALS_OF_ADDRESS.points,
      (refusedOfLink?.consumedPoints ?? 0) / REFUSALS_OF_ADDRESS.points,
      // An attack may come from many addresses, none of which stands out.
      isAttacked ? 1.5 : 0,
    );
  };

  const originOf = (address: string): string =>
    createHmac('sha256', pepper.current.bytes).update(siteOf(address)).digest('hex');

  const noteOutcome: CardTesting['noteOutcome'] = async ({ origin, linkId, ...of }, isRefused) => {
    if (origin === null) return;
    const seller = nameOf(of);
    if (isRefused) await refusalsOf.penalty(`${seller}:${origin}`);
    if (isRefused && linkId) await refusalsOf.penalty(`${seller}:${linkId}`);
    await outcomes.note(seller, isRefused);
  };

  return {
    originOf,
    noteOutcome,
    async noteAnswer(id, token, isRefused) {
      if (isRefused !== null) return noteOutcome(token, isRefused);
      if (token.origin !== null) await open.remember(id, token);
    },
    async noteLate(id, isRefused) {
      const token = await open.take(id);
      if (token) await noteOutcome(token, isRefused);
    },
    async admit({ address, proof, linkId = null, ...of }) {
      const seller = nameOf(of);
      const origin = originOf(address);
      const excess = await excessOf(seller, origin, linkId);
      if (excess <= 1) return origin;
      const isProven = proof !== null && proofs.isSolved(seller, proof) && (await isFirstUse(solved, proof));
      deps.metrics.cardTokenProofs.inc({ outcome: isProven ? 'solved' : 'demanded' });
      if (isProven) return origin;
      const bits = BITS + Math.min(MAX_STEPS, Math.floor(Math.log2(excess)));
      throw proofOfWorkRequired(proofs.challenge(seller, bits));
    },
  };
};

const nameOf = ({ merchantId, livemode }: Seller): string => `${merchantId}:${livemode ? 'live' : 'test'}`;

const isFirstUse = async (solved: Pick<RateLimiterAbstract, 'penalty'>, proof: string): Promise<boolean> =>
  (await solved.penalty(proof)).consumedPoints === 1;

/** The result of work in Redis, for which nobody waits long; something else where it does not answer. */
const createWithin =
  ({ redisTimeoutMs }: LimitStore) =>
  <T>(otherwise: T, work: () => Promise<T>): Promise<T> =>
    inTime(redisTimeoutMs, 'Redis does not answer', work).catch(() => otherwise);

/** Payments whose outcome is open, by whoever typed their card. Without Redis a late refusal is not counted. */
const createOpenAttempts = (deps: LimitStore) => {
  const within = createWithin(deps);
  const keyOf = (id: Attempt): string => `${deps.keyPrefix}:card-open:${id}`;
  return {
    async remember(id: Attempt, { merchantId, livemode, origin, linkId = null }: Typist): Promise<void> {
      const kept = JSON.stringify({ merchantId, livemode, origin, linkId } satisfies Typist);
      await within(null, () => deps.redis.set(keyOf(id), kept, 'EX', KEPT_SECONDS));
    },
    /** The typist of a payment, for one caller only. */
    async take(id: Attempt): Promise<Typist | null> {
      const kept = await within(null, () => deps.redis.getdel(keyOf(id)));
      return kept === null ? null : JSON.parse(kept);
    },
  };
};

/**
 * How a merchant's latest payments with public keys' tokens ended. Without Redis no attack on a merchant is noticed.
 */
const createLastOutcomes = (deps: LimitStore) => {
  const { redis, keyPrefix } = deps;
  const listOf = (seller: string): string => `${keyPrefix}:card-outcomes:${seller}`;
  const within = createWithin(deps);
  return {
    async note(seller: string, isRefused: boolean): Promise<void> {
      const list = listOf(seller);
      const pushed = redis
        .multi()
        .lpush(list, isRefused ? '1' : '0')
        .ltrim(list, 0, LAST_PAYMENTS - 1)
        .expire(list, KEPT_SECONDS);
      await within(null, () => pushed.exec());
    },
    async areHalfRefused(seller: string): Promise<boolean> {
      const last = await within([], () => redis.lrange(listOf(seller), 0, LAST_PAYMENTS - 1));
      const refused = last.filter((one) => one === '1').length;
      return last.length === LAST_PAYMENTS && refused >= LAST_PAYMENTS / 2;
    },
  };
};
