import { type InputFault, invalidInput } from '../../../kernel/errors.ts';
import { changed, created, type Decision, type MerchantRecord } from '../../../kernel/event.ts';
import type { MerchantId, PlanId } from '../../../kernel/ids.ts';
import { amountProblem, type Minor, toMinor } from '../../../kernel/money.ts';
import { type Store, store } from '../../../kernel/store.ts';
import type { Recurrence } from './calendar.ts';

/** The price of a cycle, and how often cycles come. */
export type Price = Recurrence & { readonly amount: Minor; readonly currency: string };

type PlanEvent = 'plan.created' | 'plan.updated';

/** A price that a merchant offers to many. */
export type Plan = MerchantRecord &
  Price & {
    readonly id: PlanId;
    /** Master of the merchant when the plan was made. */
    readonly masterId: MerchantId | null;
    readonly name: string;
    readonly trialDays: number;
    readonly description: string | null;
    /** Free-form JSON as its text. */
    readonly metadata: string | null;
    readonly active: boolean;
  };

export const PLANS: Store<Plan, PlanEvent> = store('plans', 'plan');

/** A price as requests name it: its amount is a decimal. */
export type PriceRequest = Recurrence & { readonly amount: number; readonly currency: string };

export type PlanRequest = PriceRequest & {
  readonly name: string;
  readonly trialDays: number;
  readonly description: string | null;
  readonly metadata: object | null;
};

const MAX_METADATA_BYTES = 16_384;

/** 400 for an amount that its currency does not have. */
export const readPrice = (
  { amount, currency, interval, intervalCount }: PriceRequest,
  path: string,
): Price => {
  const minor = toMinor(amount, currency);
  const problem = minor !== null && minor <= 0 ? 'must be above zero' : amountProblem(minor);
  if (minor === null || problem !== null) throw invalidInput([{ path, message: `${path} ${problem}` }]);
  return { amount: minor, currency, interval, intervalCount };
};

/** Metadata in the form in which it is kept; 400 beyond 16 KiB. */
export const readMetadata = (metadata: object | null): string | null => {
  const text = metadata && JSON.stringify(metadata);
  const fault: InputFault = { path: 'metadata', message: 'metadata must be at most 16 KiB' };
  if (text !== null && Buffer.byteLength(text) > MAX_METADATA_BYTES) throw invalidInput([fault]);
  return text;
};

type PlanOwner = Pick<Plan, 'id' | 'merchantId' | 'masterId' | 'livemode'>;

export const openPlan = (
  { name, trialDays, description, metadata, ...price }: PlanRequest,
  owner: PlanOwner,
  now: Date,
): Decision<Plan, PlanEvent> =>
  created('plan.created', now, {
    ...owner,
    ...readPrice(price, 'amount'),
    name,
    trialDays,
    description,
    metadata: readMetadata(metadata),
    active: true,
  });

export type PlanChanges = Partial<Pick<Plan, 'name' | 'description' | 'active'>>;

/** Changes a plan's name, description or state. Its price never changes; another price needs another plan. */
export const changePlan = (plan: Plan, changes: PlanChanges, now: Date): Decision<Plan, PlanEvent> =>
  changed('plan.updated', plan, now, changes);
