import { timestamp } from '../../../kernel/clock.ts';
import type { Decision } from '../../../kernel/event.ts';
import type { DocumentContent } from '../../documents/write/document-content.ts';
import {
  type DocumentId,
  documentStore,
  type KeptDocument,
  keptDocument,
} from '../../documents/write/kept-document.ts';
import type { Merchant, MerchantStatus } from '../../merchants/write/merchant.ts';
import { submerchantBlocked } from './refusals.ts';

export const DOCUMENT_TYPES = [
  'identity',
  'company_registration',
  'address_proof',
  'bank_proof',
  'other',
] as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];

/** A document of a sub-merchant for its credentialing. */
export type SubmerchantDocument = KeptDocument & { readonly type: DocumentType };

export const SUBMERCHANT_DOCUMENTS = documentStore<SubmerchantDocument, 'submerchant_document'>(
  'submerchant_documents',
  'submerchant_document',
);

type NewDocument = { readonly type: DocumentType; readonly fileName: string } & DocumentContent;

/** 422 MERCHANT_NOT_ACTIVE for a blocked sub-merchant. */
export const assertMayUpload = (submerchant: Pick<Merchant, 'status'>): void => {
  if (submerchant.status === 'blocked') throw submerchantBlocked();
};

export const addDocument = (
  { id: merchantId, masterId, livemode }: Merchant,
  { type, ...file }: NewDocument,
  id: DocumentId,
  now: Date,
): Decision<SubmerchantDocument, 'submerchant_document.added'> => ({
  type: 'submerchant_document.added',
  data: { ...keptDocument({ merchantId, masterId, livemode }, file, id, now), type },
});

/** Statuses of sub-merchants whose documents are no longer needed. */
const CLOSED: readonly MerchantStatus[] = ['rejected', 'blocked'];

/**
 * Whether a document's content is no longer needed: its sub-merchant is closed, and neither has changed since `before`.
 */
export const isExpired = (
  document: Pick<SubmerchantDocument, 'createdAt' | 'removedAt'>,
  submerchant: Pick<Merchant, 'status' | 'updatedAt'>,
  before: Date,
): boolean =>
  document.removedAt === null &&
  document.createdAt < timestamp(before) &&
  CLOSED.includes(submerchant.status) &&
  submerchant.updatedAt < timestamp(before);
