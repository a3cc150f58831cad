import { oneOf } from '../../platform/http/schemas.ts';
import { documentAnswerOf, uploadBodies } from '../documents/documents.schemas.ts';
import { DOCUMENT_TYPES } from './write/document.ts';

const type = oneOf(DOCUMENT_TYPES).description('Kind of document.');

export const documentBodies = uploadBodies(
  type,
  { json: 'DocumentRequest', form: 'DocumentForm' },
  { type: 'identity', fileName: 'identity.pdf', content: 'JVBERi0xLjQKJSVFT0YK' },
);

export const documentAnswer = documentAnswerOf(
  type,
  'long after the sub-merchant was rejected or blocked',
  'SubmerchantDocument',
);
