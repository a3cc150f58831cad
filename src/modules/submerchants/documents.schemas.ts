import Joi from 'joi';
import { BASE64, dateTime, oneOf, resourceId, text } from '../../platform/http/schemas.ts';
import { DOCUMENT_TYPES } from './write/document.ts';
import { DOCUMENT_CONTENT_TYPES } from './write/document-content.ts';

const type = oneOf(DOCUMENT_TYPES).description('Kind of document.');
const FILE_NAME = "The file's name on the sender's side; it does not decide the type.";
const CLEANED =
  'It is kept with the extension of its content, and without control and bidirectional characters.';
const fileName = text(255)
  .pattern(/[/\\]/, { name: 'a path', invert: true })
  .required()
  .description(`${FILE_NAME} Without folders. ${CLEANED}`);

export const jsonUpload = Joi.object({
  type,
  fileName,
  content: Joi.string().meta({ pattern: BASE64 }).required().description('The file in Base64.'),
})
  .example({ type: 'identity', fileName: 'identity.pdf', content: 'JVBERi0xLjQKJSVFT0YK' })
  .label('DocumentRequest');

export const form = Joi.object({
  type,
  file: Joi.binary()
    .required()
    .tag(...DOCUMENT_CONTENT_TYPES)
    .description('The file, with its name.'),
}).label('DocumentForm');

/** Both bodies once their file is taken in. */
const taken = Joi.object().required();
export const readForm = form.keys({ file: Joi.object({ fileName, taken }).required() });
export const readJson = jsonUpload.keys({ content: taken });

export const documentAnswer = Joi.object({
  id: resourceId('doc').required(),
  type,
  fileName: Joi.string().required().description(CLEANED.replace('It', 'The name')),
  contentType: oneOf(DOCUMENT_CONTENT_TYPES).description(
    'Type found in the content, whatever the file name.',
  ),
  size: Joi.number().integer().required().description('Bytes.'),
  sha256: Joi.string().required().description('Of the content as it was sent, hexadecimal.'),
  createdAt: dateTime().required(),
  removedAt: dateTime().description(
    'When the content was removed, long after the sub-merchant was rejected or blocked. Absent before.',
  ),
  scanStatus: Joi.string()
    .valid('clean', 'infected')
    .description('Result of the virus scanner. Absent before the scan, and without a scanner.'),
}).label('SubmerchantDocument');
