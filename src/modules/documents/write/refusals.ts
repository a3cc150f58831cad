import { refusal } from '../../../kernel/errors.ts';

export const documentInfected = refusal('DOCUMENT_INFECTED', 'The scanner found malware in the document');

export const documentLimitReached = refusal(
  'DOCUMENT_LIMIT_REACHED',
  'The limit for the number or the total size of documents is reached',
  (most: string) => `There may be ${most} of them`,
);

export const documentNotScanned = refusal(
  'DOCUMENT_NOT_SCANNED',
  'The scanner has not looked at the document yet',
);

export const documentRemoved = refusal('DOCUMENT_REMOVED', 'The content of the document is no longer kept');
