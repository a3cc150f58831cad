import Joi from 'joi';
import { BASE64, dateTime, oneOf, resourceId, text } from '../../platform/http/schemas.ts';
import { anyObject, number, object, string } from '../../platform/http/typed.ts';
import { DOCUMENT_CONTENT_TYPES } from './write/document-content.ts';

const FILE_NAME = 'Name of the file; it does not decide the type.';
const CLEANED =
  'The name is stored with the extension that fits the content, and without control and bidirectional characters.';
const fileName = text(255)
  .pattern(/[/\\]/, { name: 'a path', invert: true })
  .required()
  .description(`${FILE_NAME} Without folders. ${CLEANED}`);

/** A file after its content was stored. */
const taken = anyObject().required();

/** The two bodies of an upload: as the API describes them, and as they are once their file is stored. */
export const uploadBodies = (
  type: Joi.Schema,
  labels: { readonly json: string; readonly form: string },
  example: object,
) => {
  const json = object({
    type,
    fileName,
    content: string().meta({ pattern: BASE64 }).required().description('The file in Base64.'),
  })
    .example(example)
    .label(labels.json);
  const form = object({
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
    readForm: form.keys({ file: object({ fileName, taken }).required() }),
  };
};

/** Members that every document has in answers; `closed` says when its content is removed. */
export const documentAnswerOf = (type: Joi.Schema, closed: string, label: string) =>
  object({
    id: resourceId('doc').required(),
    type,
    fileName: string().required().description(CLEANED.replace('It', 'The name')),
    contentType: oneOf(DOCUMENT_CONTENT_TYPES).description(
      'Type found in the content, whatever the file name.',
    ),
    size: number().integer().required().description('Bytes.'),
    sha256: string().required().description('The SHA-256 of the content as it was sent, in hexadecimal.'),
    createdAt: dateTime().required(),
    removedAt: dateTime().description(`When the content was removed, ${closed}. Absent before.`),
    scanStatus: string()
      .valid('clean', 'infected')
      .description('Result of the virus scanner. Absent before the scan, and without a scanner.'),
  }).label(label);
