import Joi from 'joi';
import { BASE64, dateTime, oneOf, resourceId, text } from '../../platform/http/schemas.ts';
import { DOCUMENT_CONTENT_TYPES } from './write/document-content.ts';

const FILE_NAME = "The file's name on the sender's side; it does not decide the type.";
const CLEANED =
  'It is kept with the extension of its content, and without control and bidirectional characters.';
const fileName = text(255)
  .pattern(/[/\\]/, { name: 'a path', invert: true })
  .required()
  .description(`${FILE_NAME} Without folders. ${CLEANED}`);

/** A file once it is taken in. */
const taken = Joi.object().required();

/** Both bodies of an upload, as they are described and as they are once their file is taken in. */
export const uploadBodies = (
  type: Joi.Schema,
  labels: { readonly json: string; readonly form: string },
  example: object,
) => {
  const json = Joi.object({
    type,
    fileName,
    content: Joi.string().meta({ pattern: BASE64 }).required().description('The file in Base64.'),
  })
    .example(example)
    .label(labels.json);
  const form = Joi.object({
    type,
    file: Joi.binary()
      .required()
      .tag(...DOCUMENT_CONTENT_TYPES)
      .description('The file, with its name.'),
  }).label(labels.form);
  return {
    json,
    form,
    readJson: json.keys({ content: taken }),
    readForm: form.keys({ file: Joi.object({ fileName, taken }).required() }),
  };
};

/** Members of every document in answers; `closed` tells when its content goes. */
export const documentAnswerOf = (type: Joi.Schema, closed: string, label: string) =>
  Joi.object({
    id: resourceId('doc').required(),
    type,
    fileName: Joi.string().required().description(CLEANED.replace('It', 'The name')),
    contentType: oneOf(DOCUMENT_CONTENT_TYPES).description(
      'Type found in the content, whatever the file name.',
    ),
    size: Joi.number().integer().required().description('Bytes.'),
    sha256: Joi.string().required().description('Of the content as it was sent, hexadecimal.'),
    createdAt: dateTime().required(),
    removedAt: dateTime().description(`When the content was removed, ${closed}. Absent before.`),
    scanStatus: Joi.string()
      .valid('clean', 'infected')
      .description('Result of the virus scanner. Absent before the scan, and without a scanner.'),
  }).label(label);
