import Joi from 'joi';
import { DOCUMENT_TYPES, documentType, isDocumentType } from '../../kernel/national-id.ts';
import {
  dateTime,
  email,
  livemode,
  metadata,
  nullable,
  postalAddress,
  resourceId,
  text,
  timestamps,
} from '../../platform/http/schemas.ts';

export const TAG = 'Customers';

/** The parameter of a path below a customer. */
export const customerParams = { id: 'Id of the customer, `cus_…`.' };

/** The kind of a payer's document, which comes out without blanks around it and in lower case. */
const documentKind = (): Joi.StringSchema =>
  Joi.string()
    .max(32)
    .custom((given: string, helpers) => {
      const type = documentType(given);
      return isDocumentType(type)
        ? type
        : helpers.message({ custom: `{{#label}} must be one of ${DOCUMENT_TYPES.join(', ')}` });
    })
    .description(
      `Kind of document in upper or lower case: ${DOCUMENT_TYPES.map((type) => `\`${type}\``).join(', ')}.`,
    );

/** A payer's national identifier as a request brings it, null without one. */
export const customerDocument = (): Joi.ObjectSchema =>
  Joi.object({
    type: documentKind().required(),
    id: text(32)
      .required()
      .description(
        'Its number; of a `cpf` or `cnpj` its shape counts, punctuation is removed and letters become upper case. A `dni` has 7 or 8 digits. Check digits count where there are any.',
      ),
  })
    .label('CustomerDocument')
    .allow(null);

/** A document as it is stored. An older version took any kind, so an answer may have one that is not known today. */
const storedDocument = (): Joi.ObjectSchema =>
  Joi.object({
    type: Joi.string().required().description('Kind of document, in lower case.'),
    id: Joi.string().required().description('Its number; a CPF or CNPJ is without punctuation.'),
  })
    .label('StoredCustomerDocument')
    .allow(null);

const fields = {
  name: text(255).description('Full name.'),
  email: email(),
  document: customerDocument().description('National identifier.'),
  phone: text(32).allow(null).description('In any notation.'),
  address: postalAddress(),
  reference: text(64)
    .allow(null)
    .description("The merchant's own name for the customer; need not be unique."),
  metadata: metadata().allow(null).description('Free-form, at most 16 KiB as JSON.'),
};

export const newCustomer = Joi.object({
  name: fields.name.required(),
  email: fields.email.required(),
  document: fields.document.default(null),
  phone: fields.phone.default(null),
  address: fields.address.default(null),
  reference: fields.reference.default(null),
  metadata: fields.metadata.default(null),
})
  .example({
    name: 'Ana Souza',
    email: 'ana@example.com',
    document: { type: 'cpf', id: '529.982.247-25' },
    reference: 'customer-1001',
  })
  .label('NewCustomer');

export const customerChanges = Joi.object(fields)
  .min(1)
  .example({ phone: '+55 11 98765-4321' })
  .label('CustomerChanges');

const ofDeleted = 'Null once the customer is deleted.';

export const customerAnswer = Joi.object({
  id: resourceId('cus').required(),
  merchantId: resourceId('mer').required(),
  livemode: livemode().required(),
  name: nullable(Joi.string()).description(ofDeleted),
  email: nullable(Joi.string()).description(ofDeleted),
  document: storedDocument().required().description('Null without one.'),
  phone: nullable(Joi.string()).description('Null without one.'),
  address: postalAddress().required(),
  reference: nullable(Joi.string()).description(
    "The merchant's own name for the customer; null without one.",
  ),
  metadata: metadata().allow(null).required().description('As given; null without any.'),
  deletedAt: nullable(dateTime()).description('When the personal data was taken out; null before.'),
  ...timestamps,
}).label('Customer');
