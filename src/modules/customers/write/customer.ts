import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import { type InputFault, invalidInput } from '../../../kernel/errors.ts';
import { changed, created, type Decision, type MerchantRecord } from '../../../kernel/event.ts';
import type { CustomerId, MerchantId } from '../../../kernel/ids.ts';
import { documentType, idProblem, keptId } from '../../../kernel/national-id.ts';
import { type Store, store } from '../../../kernel/store.ts';
import { customerChangesExhausted } from './refusals.ts';

/** A national identifier: `type` is its kind, such as `cpf`. */
export type CustomerDocument = { readonly type: string; readonly id: string };

export type PostalAddress = {
  readonly country: string;
  readonly line1?: string;
  readonly line2?: string;
  readonly city?: string;
  readonly state?: string;
  readonly postalCode?: string;
};

/** A payer whom a merchant knows. Once it is deleted, nothing is left of it but its id and dates. */
export type CustomerRecord = MerchantRecord & {
  readonly id: CustomerId;
  /** Master of the merchant when the customer was made. */
  readonly masterId: MerchantId | null;
  readonly name: string | null;
  readonly email: string | null;
  readonly document: CustomerDocument | null;
  readonly phone: string | null;
  readonly address: PostalAddress | null;
  /** The merchant's own name for the customer; need not be unique. */
  readonly reference: string | null;
  /** Free-form JSON as its text. */
  readonly metadata: string | null;
  readonly deletedAt: Timestamp | null;
};

export const CUSTOMERS: Store<CustomerRecord> = store('customers', 'customer');

/** Facts about a customer as its merchant gives them. */
export type CustomerFields = {
  readonly name: string;
  readonly email: string;
  readonly document: CustomerDocument | null;
  readonly phone: string | null;
  readonly address: PostalAddress | null;
  readonly reference: string | null;
  readonly metadata: object | null;
};

type CustomerOwner = Pick<CustomerRecord, 'livemode' | 'merchantId' | 'masterId'>;

const MAX_METADATA_BYTES = 16_384;

/** Each change leaves an event, and a deletion has to take the customer out of all of them at once. */
const MAX_VERSIONS = 1_000;

const NO_FACTS = {
  name: null,
  email: null,
  document: null,
  phone: null,
  address: null,
  reference: null,
  metadata: null,
} as const satisfies Partial<CustomerRecord>;

/** The names of the members that hold what a merchant told about a customer. */
export const FACTS = Object.keys(NO_FACTS) as readonly (keyof typeof NO_FACTS)[];

/** 400 for a document with a wrong shape or wrong check digits, and for metadata beyond 16 KiB. */
export const openCustomer = (
  fields: CustomerFields,
  owner: CustomerOwner,
  id: CustomerId,
  now: Date,
): Decision<CustomerRecord> =>
  created('customer.created', now, { id, ...owner, ...NO_FACTS, ...recorded(fields), deletedAt: null });

/**
 * Facts that are absent stay as they are. 400 as for a new customer, 422 CUSTOMER_CHANGES_EXHAUSTED for one that was changed a
 * thousand times.
 */
export const changeCustomer = (
  customer: CustomerRecord,
  changes: Partial<CustomerFields>,
  now: Date,
): Decision<CustomerRecord> => {
  if (customer.version >= MAX_VERSIONS) throw customerChangesExhausted(MAX_VERSIONS);
  return changed('customer.updated', customer, now, recorded(changes));
};

/** Takes everything out of a customer that tells whose it was; its charges keep the copy that they were made with. */
export const deleteCustomer = (customer: CustomerRecord, now: Date): Decision<CustomerRecord> =>
  changed('customer.deleted', customer, now, { ...NO_FACTS, deletedAt: timestamp(now) });

/** Facts in the form in which they are kept; those that are absent stay absent. */
const recorded = ({ metadata, ...others }: Partial<CustomerFields>): Partial<CustomerRecord> => {
  const document = others.document && keptDocument(others.document);
  const text = metadata ? JSON.stringify(metadata) : null;
  const faults = [...documentFaults(document ?? null), ...metadataFaults(text)];
  if (faults.length > 0) throw invalidInput(faults);
  return {
    ...others,
    ...(document === undefined ? {} : { document }),
    ...(metadata === undefined ? {} : { metadata: text }),
  };
};

/** The faults of a document as it is kept; `path` names its number. */
export const documentFaults = (
  document: CustomerDocument | null,
  path = 'document.id',
): readonly InputFault[] => {
  if (document === null) return [];
  const problem = idProblem(document.type, document.id);
  return problem === null ? [] : [{ path, message: `${path} ${problem}` }];
};

const metadataFaults = (text: string | null): readonly InputFault[] =>
  text !== null && Buffer.byteLength(text) > MAX_METADATA_BYTES
    ? [{ path: 'metadata', message: 'metadata must be at most 16 KiB' }]
    : [];

export const keptDocument = ({ type: given, id }: CustomerDocument): CustomerDocument => {
  const type = documentType(given);
  return { type, id: keptId(type, id) };
};
