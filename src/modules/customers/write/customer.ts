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

type CustomerEvent = 'customer.created' | 'customer.deleted' | 'customer.erased' | 'customer.updated';

/** A payer whom a merchant has stored. After a deletion only id and dates are left. */
export type CustomerRecord = MerchantRecord & {
  readonly id: CustomerId;
  /** Master that the merchant had when it created the customer. */
  readonly masterId: MerchantId | null;
  readonly name: string | null;
  readonly email: string | null;
  readonly document: CustomerDocument | null;
  readonly phone: string | null;
  readonly address: PostalAddress | null;
  /** The merchant's own reference for the customer, which need not be unique. */
  readonly reference: string | null;
  /** Any JSON, as its text. */
  readonly metadata: string | null;
  readonly deletedAt: Timestamp | null;
};

export const CUSTOMERS: Store<CustomerRecord, CustomerEvent> = store('customers', 'customer');

/** The facts about a customer that its merchant gives. */
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

/** Each change leaves an event, and a deletion has to erase the customer from all of them in one transaction. */
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

/** Names of the members with facts that a merchant gave about a customer. */
export const FACTS = Object.keys(NO_FACTS) as readonly (keyof typeof NO_FACTS)[];

/** 400 for a document with a wrong shape or wrong check digits, and for metadata of more than 16 KiB. */
export const openCustomer = (
  fields: CustomerFields,
  owner: CustomerOwner,
  id: CustomerId,
  now: Date,
): Decision<CustomerRecord, CustomerEvent> =>
  created('customer.created', now, { id, ...owner, ...NO_FACTS, ...recorded(fields), deletedAt: null });

/**
 * Changes a customer; absent facts stay as they are. 400 as for a new customer, 422 CUSTOMER_CHANGES_EXHAUSTED for one
 * that was changed a thousand times.
 */
export const changeCustomer = (
  customer: CustomerRecord,
  changes: Partial<CustomerFields>,
  now: Date,
): Decision<CustomerRecord, CustomerEvent> => {
  if (customer.version >= MAX_VERSIONS) throw customerChangesExhausted(MAX_VERSIONS);
  return changed('customer.updated', customer, now, recorded(changes));
};

/** Removes everything from which a customer could be recognized. Its charges keep the copy that they were made with. */
export const deleteCustomer = (
  customer: CustomerRecord,
  now: Date,
): Decision<CustomerRecord, CustomerEvent> =>
  changed('customer.deleted', customer, now, { ...NO_FACTS, deletedAt: timestamp(now) });

/** The facts in the form in which they are stored; absent ones stay absent. */
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

/** The faults of a document; `path` leads to its number. */
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
